package dev.waybill.jdbc;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets business transactions go first: while they append, a claim takes fewer rows at a time and rests after each of its own
 * transactions for half as long as that took. Both share the database's log, and a claim can wait. That they append is known
 * from this process's own, and from rows that a claim finds fresh, which others have just written. A backlog that nobody adds
 * to is claimed without a rest.
 */
final class ClaimThrottle {

    private static final long BUSY = Duration.ofMillis(20).toNanos();
    private static final long FRESH_MICROS = 1_000_000L;
    private static final long LONGEST = Duration.ofMillis(10).toNanos();

    private volatile long lastAppend = System.nanoTime() - BUSY;
    private volatile boolean amongFreshRows;

    void appended() {
        lastAppend = System.nanoTime();
    }

    /** A claim has come to rows that are due since then, while the database's clock showed that. */
    void claims(long dueMicros, long wallClock) {
        amongFreshRows = dueMicros > wallClock - FRESH_MICROS;
    }

    boolean isDue() {
        return amongFreshRows || System.nanoTime() - lastAppend < BUSY;
    }

    /** After a transaction that began then. */
    void rest(long began) {
        if (isDue()) {
            LockSupport.parkNanos(this, Math.min(LONGEST, (System.nanoTime() - began) / 2));
        }
    }
}
