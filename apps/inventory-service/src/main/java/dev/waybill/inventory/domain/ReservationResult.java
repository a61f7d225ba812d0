package dev.waybill.inventory.domain;

import java.util.List;

/** What became of an order's event. */
public sealed interface ReservationResult {

    record Reserved(OrderLines order) implements ReservationResult {}

    record Refused(List<ShortItem> shortItems) implements ReservationResult {}

    record Released(OrderLines order) implements ReservationResult {}

    /** The cancel came before the order. It is stored, so that the late OrderCreated reserves nothing. */
    record Tombstone() implements ReservationResult {}

    /** The event changes nothing, now or later. */
    record Ignored(String reason) implements ReservationResult {}
}
