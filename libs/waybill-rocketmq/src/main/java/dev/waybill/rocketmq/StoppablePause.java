package dev.waybill.rocketmq;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Pauses between attempts, each twice as long as the one before, that a stop ends at once. */
final class StoppablePause {

    static final Duration FIRST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final CountDownLatch stopping = new CountDownLatch(1);

    /**
     * Waits.
     *
     * @return how long to wait next time
     * @throws InterruptedException when a stop began, or the thread was interrupted
     */
    Duration await(Duration pause) throws InterruptedException {
        if (stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("stopping");
        }
        Duration longer = pause.multipliedBy(2);
        return longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }

    boolean isStopping() {
        return stopping.getCount() == 0;
    }

    void stop() {
        stopping.countDown();
    }
}
