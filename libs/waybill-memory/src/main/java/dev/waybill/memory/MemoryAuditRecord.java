package dev.waybill.memory;

import dev.waybill.store.OperatorDecision;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One decision of a person about a DEAD row or a dead letter.
 *
 * @param action {@code REQUEUE}, {@code DISCARD}, {@code REPLAY} or {@code EDIT}
 * @param letterId the letter decided about; null for a row of the outbox
 * @param content what the decision removed for good: a discarded event, or an edited letter's old body
 */
public record MemoryAuditRecord(
        String action,
        OperatorDecision decision,
        @Nullable Long letterId,
        @Nullable String eventId,
        @Nullable String content,
        Instant at) {}
