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
 * @param key the broker's id of what was sent or replayed; one copy of it exists there
 * @param attempt which delivery is the next, from 1
 * @param due when that may be
 * @param error what the last receiver said
 * @param source the queue in which a dead letter of a declared queue failed
 */
@SuppressWarnings("ArrayRecordComponent") // identity is never asked for
record QueuedMessage(
        String key,
        @Nullable String messageId,
        Map<String, String> headers,
        byte[] body,
        int attempt,
        Instant due,
        @Nullable String error,
        @Nullable String source) {

    static QueuedMessage of(StoredMessage stored) {
        Event event = stored.message().event();
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        put(headers, "traceId", event.traceId());
        put(headers, TraceParent.HEADER, TraceParent.of(event));
        put(headers, "bizKey", event.bizKey());
        put(headers, "eventType", event.type());
        put(headers, "schemaVersion", Integer.toString(event.schemaVersion()));
        return new QueuedMessage(
                stored.brokerId(),
                event.eventId(),
                headers,
                stored.message().body(),
                1,
                stored.arrivedAt(),
                null,
                null);
    }

    static QueuedMessage of(DeadLetter letter, String key, Instant now) {
        return new QueuedMessage(key, letter.messageId(), letter.headers(), letter.body(), 1, now, null, null);
    }

    QueuedMessage next(Instant due, String error) {
        return new QueuedMessage(key, messageId, headers, body, attempt + 1, due, error, source);
    }

    QueuedMessage failed(String error) {
        return new QueuedMessage(key, messageId, headers, body, attempt, due, error, source);
    }

    QueuedMessage later(Instant due) {
        return new QueuedMessage(key, messageId, headers, body, attempt, due, error, source);
    }

    /** As it enters the queue for dead letters: a first delivery, should anybody receive there. */
    QueuedMessage dead(String source, Instant now, String error) {
        return new QueuedMessage(key, messageId, headers, body, 1, now, error, source);
    }

    private static void put(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }
}
