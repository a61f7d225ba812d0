package dev.waybill.order.domain;

/** Publishes the order's events. An event commits with the caller's transaction or not at all; each call returns the event's id. */
public interface OrderEventPublisher {

    String created(Order order);

    String canceled(Order order);
}
