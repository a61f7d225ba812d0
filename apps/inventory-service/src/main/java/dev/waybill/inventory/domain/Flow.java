package dev.waybill.inventory.domain;

import org.jspecify.annotations.Nullable;

/** One step, or one step not taken, in the life of an order's reservation. */
public record Flow(
        String orderNo,
        @Nullable ReservationStatus from,
        ReservationStatus to,
        Cause cause,
        @Nullable String ignoredReason) {

    /** The event that caused it. */
    public record Cause(String event, String eventId) {}
}
