package dev.waybill.inventory.domain;

import org.jspecify.annotations.Nullable;

/** One line of a reservation's history: a change of its status, or an event that changed nothing. */
public record StateChange(
        String orderNo,
        @Nullable ReservationStatus from,
        ReservationStatus to,
        Cause cause,
        @Nullable String ignoredReason) {

    /** The event that caused it. */
    public record Cause(String event, String eventId) {}
}
