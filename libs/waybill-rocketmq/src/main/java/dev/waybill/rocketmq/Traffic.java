package dev.waybill.rocketmq;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which topics have a batch under way. A few messages wait for the one before them, up to a moment: what arrives in the
 * meantime then goes as one batch, and the broker writes to its disk once for all of it. A message that finds the way free
 * waits for nobody.
 */
final class Traffic {

    /** Batches from this size on are worth a trip of their own. */
    static final int WORTH_A_TRIP = 64;

    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(20);

    private final Map<String, Integer> underWay = new HashMap<>();

    /** Whether the way is free now; if not, the broker is slow or gone, and one topic must not stop the others. */
    synchronized boolean giveWay(Load load) throws InterruptedException {
        if (load.shipments().size() >= WORTH_A_TRIP) {
            return true;
        }
        long end = Math.min(load.deadline(), System.nanoTime() + MOMENT);
        while (underWay.containsKey(load.topic())) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    synchronized void left(Load load) {
        underWay.merge(load.topic(), 1, Integer::sum);
    }

    synchronized void arrived(Load load) {
        underWay.computeIfPresent(load.topic(), (topic, loads) -> loads == 1 ? null : loads - 1);
        notifyAll();
    }
}
