package dev.waybill.order.domain;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of an order's history.
 *
 * @param fromStatus null when the order was created
 * @param toStatus the same as before where the event was ignored
 * @param event what caused the change
 * @param eventId the event that caused the change, or the one that was published about it
 * @param eventTime when that event happened, by whoever published it; kept in the table only
 * @param ignoredReason why nothing changed; null where something did
 * @param traceId the request or message chain it belongs to
 * @param createdAt when the line was written
 */
public record StateChange(
        @Nullable OrderStatus fromStatus,
        OrderStatus toStatus,
        Trigger event,
        String eventId,
        @JsonIgnore Instant eventTime,
        @Nullable IgnoredReason ignoredReason,
        @Nullable String traceId,
        Instant createdAt) {

    /** Why an event changed nothing. */
    public enum IgnoredReason {
        /** The order's status did not allow it when it was read. */
        STATUS_NOT_CREATED,
        /** It was allowed when read, but another change was written first. */
        CAS_CONFLICT
    }
}
