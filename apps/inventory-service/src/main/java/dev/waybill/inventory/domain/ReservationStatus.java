package dev.waybill.inventory.domain;

/** What became of an order here. Everything but RESERVED is final. */
public enum ReservationStatus {
    RESERVED,
    /** Was reserved and is given back. */
    RELEASED,
    /** There was not enough. */
    FAILED,
    /** The cancel came before the order: a tombstone that the late OrderCreated finds. */
    CANCELED
}
