package dev.waybill.starter.admin;

import dev.waybill.store.AuditReader.AuditRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a person decided.
 *
 * @param subject the table of the event or letter, or what else it was about
 */
record AuditLine(
        long id,
        Instant at,
        String action,
        String actor,
        String reason,
        String subject,
        String eventId,
        String eventType,
        @Nullable Long letterId,
        @Nullable String error) {

    static AuditLine of(AuditRecord record) {
        return new AuditLine(
                record.id(),
                record.at(),
                record.action(),
                record.decision().actor(),
                record.decision().reason(),
                record.subject(),
                record.eventId(),
                record.eventType(),
                record.letterId(),
                record.error());
    }
}
