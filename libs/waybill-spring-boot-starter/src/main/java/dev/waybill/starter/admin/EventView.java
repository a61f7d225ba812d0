package dev.waybill.starter.admin;

import dev.waybill.message.Event;
import dev.waybill.store.AuditReader.AuditRecord;
import dev.waybill.store.FailedAttempt;
import dev.waybill.store.StoredEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One event with its history.
 *
 * @param content null for a row that cannot be read as an event
 * @param dueAt when a relay may take it, while it waits
 * @param error the last one
 * @param attempts sends that failed, latest first
 * @param errors the same by error
 * @param decisions what people decided about it, latest first
 */
record EventView(
        EventLine event,
        @Nullable Content content,
        @Nullable Instant dueAt,
        @Nullable Instant sentAt,
        @Nullable String brokerId,
        @Nullable String error,
        List<AttemptLine> attempts,
        List<ErrorLine> errors,
        List<AuditLine> decisions) {

    /** What the event says. */
    record Content(
            @Nullable String aggregateType,
            @Nullable String aggregateId,
            int schemaVersion,
            Instant occurredAt,
            Map<String, String> headers,
            String payload) {}

    static EventView of(StoredEvent stored, List<FailedAttempt> attempts, List<AuditRecord> decisions) {
        Event event = stored.event();
        return new EventView(
                EventLine.of(stored.found()),
                event == null
                        ? null
                        : new Content(
                                event.aggregateType(),
                                event.aggregateId(),
                                event.schemaVersion(),
                                event.occurredAt(),
                                event.headers(),
                                event.payload()),
                stored.dueAt(),
                stored.sentAt(),
                stored.brokerId(),
                stored.error(),
                attempts.stream().map(AttemptLine::of).toList(),
                ErrorLine.of(attempts),
                decisions.stream().map(AuditLine::of).toList());
    }
}
