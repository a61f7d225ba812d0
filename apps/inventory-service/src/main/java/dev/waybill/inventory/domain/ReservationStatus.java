package dev.waybill.inventory.domain;

/** What became of an order here. Everything but RESERVED is final. */
public enum ReservationStatus {
    RESERVED,
    /** Was reserved and is given back. */
    RELEASED,
    /** There was not enough. */
    FAILED,
    /** Cancelled before it was heard of: a tombstone that the late OrderCreated finds. */
    CANCELED
}
