package dev.waybill.lifecycle;

import java.util.concurrent.TimeUnit;

/** Spaces steps of one thread evenly, at most so many a second. */
public final class RateThrottle {

    private final long gapNanos;
    private long next = System.nanoTime();

    public RateThrottle(int perSecond) {
        this.gapNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    /** Waits for the next step's turn. */
    public void await() throws InterruptedException {
        long wait = next - System.nanoTime();
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
        next = Math.max(next, System.nanoTime() - gapNanos) + gapNanos;
    }
}
