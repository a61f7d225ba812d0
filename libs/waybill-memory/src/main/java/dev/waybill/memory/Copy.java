package dev.waybill.memory;

import dev.waybill.message.DeadLetter;
import dev.waybill.message.Event;
import dev.waybill.message.TraceParent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group's own copy of a message.
 *
 * @param key the broker's id of what was sent or replayed; one copy of it exists in the group
 * @param attempt which delivery is the next, from 1
 * @param due when that may be
 * @param error what the last receiver said
 */
@SuppressWarnings("ArrayRecordComponent") // identity is never asked for
record Copy(
        String key,
        @Nullable String messageId,
        Map<String, String> headers,
        byte[] body,
        int attempt,
        Instant due,
        @Nullable String error) {

    static Copy of(Delivery stored) {
        Event event = stored.message().event();
        Map<String, String> headers = new LinkedHashMap<>(event.headers());
        put(headers, "traceId", event.traceId());
        put(headers, TraceParent.HEADER, TraceParent.of(event));
        put(headers, "bizKey", event.bizKey());
        put(headers, "eventType", event.type());
        put(headers, "schemaVersion", Integer.toString(event.schemaVersion()));
        return new Copy(
                stored.brokerId(), event.eventId(), headers, stored.message().body(), 1, stored.arrivedAt(), null);
    }

    static Copy of(DeadLetter letter, String key, Instant now) {
        return new Copy(key, letter.messageId(), letter.headers(), letter.body(), 1, now, null);
    }

    Copy next(Instant due, String error) {
        return new Copy(key, messageId, headers, body, attempt + 1, due, error);
    }

    Copy failed(String error) {
        return new Copy(key, messageId, headers, body, attempt, due, error);
    }

    private static void put(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }
}
