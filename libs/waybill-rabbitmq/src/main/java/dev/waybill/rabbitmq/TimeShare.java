package dev.waybill.rabbitmq;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** At most a tenth of the time in the long run, and up to half a minute at once; so much is owed at most, too. One thread's. */
final class TimeShare {

    private static final int PART = 10;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long NEARLY_MOST_NANOS = MOST_NANOS - TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clock;
    private long leftNanos = MOST_NANOS;
    private long countedUntil;

    TimeShare() {
        this(System::nanoTime);
    }

    TimeShare(LongSupplier clock) {
        this.clock = clock;
        this.countedUntil = clock.getAsLong();
    }

    boolean isLeft() {
        return left() > 0;
    }

    /** Whether what was spent before has been earned again, but for what every round takes. */
    boolean isUnspent() {
        return left() >= NEARLY_MOST_NANOS;
    }

    void spend(Runnable work) {
        long began = clock.getAsLong();
        work.run();
        leftNanos = Math.max(-MOST_NANOS, left() - (clock.getAsLong() - began));
    }

    private long left() {
        long now = clock.getAsLong();
        leftNanos = Math.min(MOST_NANOS, leftNanos + (now - countedUntil) / PART);
        countedUntil = now;
        return leftNanos;
    }
}
