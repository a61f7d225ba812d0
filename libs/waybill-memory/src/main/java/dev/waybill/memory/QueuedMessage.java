package dev.waybill.memory;

import dev.waybill.message.DeadLetter;
import dev.waybill.message.Event;
import dev.waybill.message.TraceParent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group's or queue's own copy of a message.
 *
 * @param number the copy's own; no other copy in the broker has it
 * @param position where the message stands in the group's topic, while the copy is nothing but that; else {@link #NO_POSITION}
 * @param key the broker's id of what was sent or replayed; one copy of it exists there
 * @param attempt which delivery is the next, from 1
 * @param due when that may be
 * @param error what the last receiver said
 * @param source the queue in which a dead letter of a declared queue failed
 */
@SuppressWarnings("ArrayRecordComponent") // identity is never asked for
record QueuedMessage(
        long number,
        long position,
        String key,
        @Nullable String messageId,
        Map<String, String> headers,
        byte[] body,
        int attempt,
        Instant due,
        @Nullable String error,
        @Nullable String source) {

    static final long NO_POSITION = -1;

    static QueuedMessage of(StoredMessage stored, long number, long position) {
        Event event = stored.message().event();
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        put(headers, "traceId", event.traceId());
        put(headers, TraceParent.HEADER, TraceParent.of(event));
        put(headers, "bizKey", event.bizKey());
        put(headers, "eventType", event.type());
        put(headers, "schemaVersion", Integer.toString(event.schemaVersion()));
        return new QueuedMessage(
                number,
                position,
                stored.brokerId(),
                event.eventId(),
                headers,
                stored.message().body(),
                1,
                stored.arrivedAt(),
                null,
                null);
    }

    static QueuedMessage of(DeadLetter letter, long number, String key, Instant now) {
        return new QueuedMessage(
                number, NO_POSITION, key, letter.messageId(), letter.headers(), letter.body(), 1, now, null, null);
    }

    QueuedMessage next(Instant due, String error) {
        return with(attempt + 1, due, error);
    }

    QueuedMessage failed(String error) {
        return with(attempt, due, error);
    }

    QueuedMessage later(Instant due) {
        return with(attempt, due, error);
    }

    private QueuedMessage with(int attempt, Instant due, @Nullable String error) {
        return new QueuedMessage(number, position, key, messageId, headers, body, attempt, due, error, source);
    }

    /** The copy alone, whatever becomes of the topic. */
    QueuedMessage detached() {
        return new QueuedMessage(number, NO_POSITION, key, messageId, headers, body, attempt, due, error, source);
    }

    /** As it enters the queue for dead letters: a first delivery, should anybody receive there. */
    QueuedMessage dead(long number, String source, Instant now, String error) {
        return new QueuedMessage(number, NO_POSITION, key, messageId, headers, body, 1, now, error, source);
    }

    private static void put(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }
}
