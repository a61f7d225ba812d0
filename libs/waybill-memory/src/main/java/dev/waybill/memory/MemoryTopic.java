package dev.waybill.memory;

import dev.waybill.memory.JournalRecord.Sent;
import dev.waybill.memory.JournalRecord.TopicStart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A topic's newest messages in the order of arrival; readers keep their own place. */
final class MemoryTopic {

    private final String name;
    private final int retained;
    private final List<StoredMessage> log = new ArrayList<>();
    private long first; // the place of log's first element, counted from the topic's beginning

    MemoryTopic(String name, int retained) {
        this.name = name;
        this.retained = retained;
    }

    /** Within a change; the file and the memory have the same order. */
    synchronized void add(StoredMessage delivery, ChangeLog changes) {
        changes.write(List.of(new Sent(name, delivery)));
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

    synchronized @Nullable StoredMessage at(long position) {
        long index = position - first;
        return index < 0 || index >= log.size() ? null : log.get((int) index);
    }

    /** Tells what a file must keep: the messages that one of these groups still needs, or all where nobody reads. */
    synchronized void describe(Collection<MemoryGroup> groups, Consumer<JournalRecord> records) {
        long needed = groups.stream().mapToLong(MemoryGroup::needsFrom).min().orElse(first);
        long from = Math.max(first, Math.min(needed, first + log.size()));
        records.accept(new TopicStart(name, from));
        log.subList((int) (from - first), log.size()).forEach(kept -> records.accept(new Sent(name, kept)));
    }

    synchronized void recover(long start, List<StoredMessage> messages) {
        log.clear();
        log.addAll(messages);
        first = start;
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

        long next() {
            return next;
        }

        /** The place of the message that it got last. */
        long passed() {
            return next - 1;
        }

        void moveTo(long position) {
            next = position;
        }
    }
}
