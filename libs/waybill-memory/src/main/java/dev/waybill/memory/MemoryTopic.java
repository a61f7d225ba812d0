package dev.waybill.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A topic's newest messages in the order of arrival; readers keep their own place. */
final class MemoryTopic {

    private final int retained;
    private final List<StoredMessage> log = new ArrayList<>();
    private long first; // the place of log's first element, counted from the topic's beginning

    MemoryTopic(int retained) {
        this.retained = retained;
    }

    synchronized void add(StoredMessage delivery) {
        log.add(delivery);
        if (log.size()
                > retained + retained / 4) { // in chunks: dropping one by one would move the whole list each time
            int surplus = log.size() - retained;
            log.subList(0, surplus).clear();
            first += surplus;
        }
        notifyAll();
    }

    synchronized List<StoredMessage> all() {
        return List.copyOf(log);
    }

    /** Moves a reader on: waits for the next message at or after its place. Null when none came in time. */
    synchronized @Nullable StoredMessage next(Place place, long patienceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        place.next = Math.max(place.next, first);
        while (place.next - first >= log.size()) {
            long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (millis <= 0) {
                return null;
            }
            wait(millis);
            place.next = Math.max(place.next, first);
        }
        return log.get((int) (place.next++ - first));
    }

    /** Where a reader stands; guarded by its topic. */
    static final class Place {
        private long next;
    }
}
