package dev.waybill.store;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event as a line of a list, without its payload. A field for which the table has neither a column nor a header is null
 * here; {@link StoredEvent} has it, if it stands in the payload.
 *
 * @param rowKey names the row to {@link OutboxReader#find}; the event's id, where the table has a column for that
 * @param type {@link UnreadableRow#TYPE} for a row that is no event
 * @param key the business key, else the aggregate's id
 * @param attempts sends that failed
 * @param createdAt when the row was written, as far as the table tells
 */
public record FoundEvent(
        String rowKey,
        String eventId,
        String type,
        @Nullable String key,
        @Nullable String traceId,
        @Nullable Destination destination,
        EventState state,
        int attempts,
        @Nullable Instant createdAt) {

    /** A row and what it says; the event is null for one that cannot be read. */
    public static FoundEvent of(
            String rowKey,
            String eventId,
            @Nullable Event event,
            EventState state,
            int attempts,
            @Nullable Instant createdAt) {
        if (event == null) {
            return new FoundEvent(rowKey, eventId, UnreadableRow.TYPE, null, null, null, state, attempts, createdAt);
        }
        String key = event.bizKey() == null ? event.aggregateId() : event.bizKey();
        return new FoundEvent(
                rowKey, eventId, event.type(), key, event.traceId(), event.destination(), state, attempts, createdAt);
    }
}
