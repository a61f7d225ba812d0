package dev.waybill.outbox;

import java.time.Duration;

/**
 * Lets a few wait for more, where every call is costly: messages of a transport that says so, and rows to be looked for in
 * the table. They wait only while they come so quickly that others are sure to arrive in that time; then one call carries
 * several. What comes alone, or first after a pause, goes at once.
 */
final class BatchLinger {

    /** The gap between two is averaged over about this many calls. */
    private static final double AVERAGED_CALLS = 8;

    /** No gap counts for more than this many of the longest that are worth a wait, so that a quiet hour is soon forgotten. */
    private static final double LONG_GAP = 10;

    private final long longest;
    private final int fullEnough;
    private final double longestGap;
    private double gap;
    private long last;

    /**
     * @param longest how long one may wait
     * @param fullEnough with this many, a call is cheap enough for each: nobody waits for more
     * @param worthWaiting if fewer are expected within the longest wait, waiting would only add latency
     */
    private BatchLinger(Duration longest, int fullEnough, double worthWaiting, long now) {
        this.longest = longest.toNanos();
        this.fullEnough = fullEnough;
        this.longestGap = this.longest / worthWaiting;
        this.gap = LONG_GAP * longestGap;
        this.last = now - this.longest;
    }

    static BatchLinger forMessages(Duration longest, long now) {
        return new BatchLinger(longest, 8, 2.5, now);
    }

    /** A statement costs the database the same for one row and for a hundred. Below 400 events a second none waits. */
    static BatchLinger forStatements(long now) {
        return new BatchLinger(Duration.ofMillis(150), 150, 60, now);
    }

    /** Nanoseconds to wait from now on; zero or less for none. */
    long pause(long now) {
        return gap > longestGap ? 0 : Math.min(longest, (long) (gap * fullEnough)) - (now - last);
    }

    void sent(int many, long now) {
        double each = Math.min(LONG_GAP * longestGap, (double) (now - last) / many);
        gap += (each - gap) / AVERAGED_CALLS;
        last = now;
    }
}
