package dev.waybill.outbox;

import dev.waybill.message.Event;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of events may be in memory on one of the two ways into the relay, from their taking to their settlement. */
final class ByteBudget {

    /** What an event takes beside its texts. */
    private static final long OBJECTS = 512;

    private final long most;
    private final AtomicLong used = new AtomicLong();

    ByteBudget(long most) {
        this.most = most;
    }

    /** Takes room for these events if there is enough of it. */
    boolean reserve(List<Event> events) {
        long bytes = size(events);
        long before = used.get();
        while (before + bytes <= most) {
            if (used.compareAndSet(before, before + bytes)) {
                return true;
            }
            before = used.get();
        }
        return false;
    }

    /** Takes room for an event that is in memory already. */
    void add(Event event) {
        used.addAndGet(size(event));
    }

    void release(Event event) {
        used.addAndGet(-size(event));
    }

    void release(List<Event> events) {
        used.addAndGet(-size(events));
    }

    long used() {
        return used.get();
    }

    /** Not positive when nothing is left. */
    long left() {
        return most - used.get();
    }

    /** Whether so little is left that a claim would fetch its rows one by one. */
    boolean isTight() {
        return left() < most / 4;
    }

    private static long size(List<Event> events) {
        long bytes = 0;
        for (Event event : events) {
            bytes += size(event);
        }
        return bytes;
    }

    /** About; the same for an event before and after a table gave it an id. */
    private static long size(Event event) {
        long bytes = OBJECTS + event.payload().length();
        for (Map.Entry<String, String> header : event.headers().entrySet()) {
            bytes += header.getKey().length() + header.getValue().length();
        }
        return bytes;
    }
}
