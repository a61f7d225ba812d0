package dev.waybill.order.domain;

/** Tells others. The event commits with the caller's transaction or not at all; each call returns the event's id. */
public interface OrderEvents {

    String created(Order order);

    String canceled(Order order);
}
