package dev.waybill.outbox;

import java.time.Duration;

/**
 * Lets a few messages wait for more, for a transport where every call is costly. They wait only while messages come so
 * quickly that others are sure to arrive in that time; then one call carries several, and none waits longer than the
 * transport allows. A message that comes alone, or first after a pause, is sent at once.
 */
final class BatchLinger {

    /** A call with this many messages is cheap enough per message: nobody waits for more. */
    private static final int FULL_ENOUGH = 8;

    /** If fewer messages than this are expected within the longest wait, waiting would only add latency. */
    private static final double WORTH_WAITING = 2.5;

    /** The gap between messages is averaged over about this many calls. */
    private static final double AVERAGED_CALLS = 8;

    /** What to look for in the table with one statement: worth more waiting, because a statement costs the database more. */
    private static final int STATEMENT_FULL_ENOUGH = 160;

    private static final double STATEMENT_WORTH_WAITING = 50;
    private static final Duration STATEMENT_LONGEST = Duration.ofMillis(100);

    private final long longest;
    private final int fullEnough;
    private final double worthWaiting;
    private final double slowest;
    private double gap;
    private long last;

    BatchLinger(Duration longest, long now) {
        this(longest, FULL_ENOUGH, WORTH_WAITING, now);
    }

    private BatchLinger(Duration longest, int fullEnough, double worthWaiting, long now) {
        this.fullEnough = fullEnough;
        this.worthWaiting = worthWaiting;
        this.longest = longest.toNanos();
        this.slowest = 4.0 * this.longest;
        this.gap = slowest;
        this.last = now - this.longest;
    }

    /** For looks into the table instead of sends: they wait only at more than five hundred events a second. */
    static BatchLinger forStatements(long now) {
        return new BatchLinger(STATEMENT_LONGEST, STATEMENT_FULL_ENOUGH, STATEMENT_WORTH_WAITING, now);
    }

    /** Nanoseconds to wait from now on; zero or less for none. */
    long pause(long now) {
        return gap * worthWaiting > longest ? 0 : Math.min(longest, (long) (gap * fullEnough)) - (now - last);
    }

    void sent(int messages, long now) {
        double each = Math.min(slowest, (double) (now - last) / messages);
        gap += (each - gap) / AVERAGED_CALLS;
        last = now;
    }
}
