package dev.waybill.store;

import java.time.Duration;

/**
 * How many rows the next chunk of a sweep has and how long to wait before it. A chunk that took long makes the next one
 * smaller, because its locks and its part of the database's log are in the way of business statements; the wait is nine
 * times as long as the chunk took, so that a sweep uses about a tenth of one connection, unless its chunks are very slow.
 */
public final class SweepPace {

    static final int LARGEST = 500;
    static final int SMALLEST = 50;
    static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private static final Duration SLOW = Duration.ofMillis(100);
    private static final int SHARE = 9;

    private int chunk = LARGEST;

    /** The limit for the next call. */
    public int chunk() {
        return chunk;
    }

    /** Tells how long the last chunk took; returns how long to wait. */
    public Duration after(Duration took) {
        chunk = took.compareTo(SLOW) > 0 ? Math.max(SMALLEST, chunk / 2) : Math.min(LARGEST, chunk * 2);
        Duration wait = took.multipliedBy(SHARE);
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }
}
