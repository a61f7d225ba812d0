package dev.waybill.rabbitmq;

import java.util.concurrent.TimeUnit;

/** At most a tenth of the time in the long run, and up to half a minute at once. One thread's. */
final class TimeShare {

    private static final int PART = 10;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private long leftNanos = MOST_NANOS;
    private long countedUntil = System.nanoTime();

    boolean isLeft() {
        return left() > 0;
    }

    /** Whether what was spent before has been earned again. */
    boolean isUnspent() {
        return left() == MOST_NANOS;
    }

    void spend(Runnable work) {
        long began = System.nanoTime();
        work.run();
        leftNanos = left() - (System.nanoTime() - began);
    }

    private long left() {
        long now = System.nanoTime();
        leftNanos = Math.min(MOST_NANOS, leftNanos + (now - countedUntil) / PART);
        countedUntil = now;
        return leftNanos;
    }
}
