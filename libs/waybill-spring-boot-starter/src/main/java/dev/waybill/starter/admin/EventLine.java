package dev.waybill.starter.admin;

import dev.waybill.message.Destination;
import dev.waybill.store.EventState;
import dev.waybill.store.FoundEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event as a list shows it.
 *
 * @param id names it in the path of {@code events/{id}}
 */
record EventLine(
        String id,
        String eventId,
        String type,
        @Nullable String key,
        @Nullable String traceId,
        @Nullable String topic,
        @Nullable String tag,
        EventState state,
        int attempts,
        @Nullable Instant createdAt) {

    static EventLine of(FoundEvent found) {
        Destination destination = found.destination();
        return new EventLine(
                found.rowKey(),
                found.eventId(),
                found.type(),
                found.key(),
                found.traceId(),
                destination == null ? null : destination.topic(),
                destination == null ? null : destination.tag(),
                found.state(),
                found.attempts(),
                found.createdAt());
    }
}
