package dev.waybill.marketplace.domain;

/** Publishes the orders' events. An event commits with the caller's transaction or not at all. */
public interface OrderEventPublisher {

    /** Publishes two events: ORDER_CREATED, and the ORDER_TIMEOUT that the delay queue holds back until the order is due. */
    void created(Order order);

    void paid(Order order);

    /** The order has left the old status. */
    void statusChanged(OrderStatus old, Order order);

    /** Publishes ORDER_TIMEOUT again, because the first one arrived before the order was due. */
    void timeoutAgain(Order order);
}
