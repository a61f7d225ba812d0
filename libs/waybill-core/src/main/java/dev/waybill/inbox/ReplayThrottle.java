package dev.waybill.inbox;

import java.util.concurrent.TimeUnit;

/** Spaces replays evenly, at most so many a second. */
final class ReplayThrottle {

    private final long gapNanos;
    private long next = System.nanoTime();

    ReplayThrottle(int perSecond) {
        this.gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    void await() throws InterruptedException {
        long wait = next - System.nanoTime();
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
        next = Math.max(next, System.nanoTime() - gapNanos) + gapNanos;
    }
}
