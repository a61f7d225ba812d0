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

    private final long longest;
    private final double slowest;
    private double gap;
    private long last;

    BatchLinger(Duration longest, long now) {
        this.longest = longest.toNanos();
        this.slowest = 4.0 * this.longest;
        this.gap = slowest;
        this.last = now - this.longest;
    }

    /** Nanoseconds to wait from now on; zero or less for none. */
    long pause(long now) {
        return gap * WORTH_WAITING > longest ? 0 : Math.min(longest, (long) (gap * FULL_ENOUGH)) - (now - last);
    }

    void sent(int messages, long now) {
        double each = Math.min(slowest, (double) (now - last) / messages);
        gap += (each - gap) / AVERAGED_CALLS;
        last = now;
    }
}
