package dev.waybill.outbox;

import java.util.ArrayDeque;
import java.util.Collection;

/**
 * Where endings wait to be written. Many threads put them in, one takes them out, and it is woken for as many as it asked
 * for and not for each: at some thousands a second, a wake-up costs more than the ending.
 */
final class SettlementQueue {

    private final ArrayDeque<Ending> endings = new ArrayDeque<>();
    private int awaited;

    synchronized void add(Ending ending) {
        endings.add(ending);
        if (awaited > 0 && endings.size() >= awaited) {
            awaited = 0;
            notifyAll();
        }
    }

    /** Waits until there are so many, or the time is over. */
    synchronized void await(int many, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; endings.size() < many && left > 0; left = end - System.nanoTime()) {
            awaited = many;
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        awaited = 0;
    }

    /**
     * Waits until there are so many, or the time is over, or there are a few and none has come lately.
     *
     * @param lull for so long none comes when no more are under way
     */
    synchronized void await(int many, long nanos, int few, long lull) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        int before = 0;
        for (long left = nanos; endings.size() < many && left > 0; left = end - System.nanoTime()) {
            if (endings.size() == before && before >= few) {
                return;
            }
            before = endings.size();
            await(many, Math.min(left, lull));
        }
    }

    synchronized void takeInto(Collection<Ending> batch, int atMost) {
        for (int i = 0; i < atMost && !endings.isEmpty(); i++) {
            batch.add(endings.remove());
        }
    }

    synchronized int size() {
        return endings.size();
    }
}
