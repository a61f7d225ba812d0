package dev.waybill.marketplace.domain;

/** Tells others what happened to orders. Always inside the caller's transaction: told only if it commits. */
public interface OrderEvents {

    /** Two events: that it was created, and the one that comes back when its time is over. */
    void created(Order order);

    void paid(Order order);

    /** The order has left the old status. */
    void statusChanged(OrderStatus old, Order order);

    /** The time-out's message arrived too early: another one comes back later. */
    void waitOn(Order order);
}
