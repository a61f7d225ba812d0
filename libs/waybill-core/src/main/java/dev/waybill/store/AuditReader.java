package dev.waybill.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what people decided, and why. */
public interface AuditReader {

    /** Decisions about this event, or about dead letters that carry it, latest first. */
    List<AuditRecord> ofEvent(String eventId, int limit);

    /**
     * All decisions, latest first.
     *
     * @param before only those with a smaller number; {@link Long#MAX_VALUE} for the first page
     */
    List<AuditRecord> latest(int limit, long before);

    /**
     * One decision.
     *
     * @param subject the table of the event, or what else it was about
     * @param letterId the dead letter, where it was about one
     * @param error the last error when it was decided
     */
    record AuditRecord(
            long id,
            String subject,
            String eventId,
            String eventType,
            @Nullable Long letterId,
            String action,
            OperatorDecision decision,
            @Nullable String error,
            Instant at) {}
}
