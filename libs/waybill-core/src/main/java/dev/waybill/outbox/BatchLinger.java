package dev.waybill.outbox;

import java.time.Duration;

/**
 * When a few messages should wait for more, for a transport where every call is costly. Only while messages come so quickly
 * that company is sure to come: then a call carries several, and none waits longer than the transport says. What comes at
 * leisure, or first after a pause, goes at once.
 */
final class BatchLinger {

    /** So many in one call are enough. */
    private static final int ENOUGH = 8;

    /** So many must be expected, or the wait is in vain. */
    private static final double WORTH_WAITING = 2.5;

    private static final double MEMORY = 8;

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
        return gap * WORTH_WAITING > longest ? 0 : Math.min(longest, (long) (gap * ENOUGH)) - (now - last);
    }

    void sent(int messages, long now) {
        double each = Math.min(slowest, (double) (now - last) / messages);
        gap += (each - gap) / MEMORY;
        last = now;
    }
}
