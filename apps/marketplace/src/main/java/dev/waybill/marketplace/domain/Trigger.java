package dev.waybill.marketplace.domain;

/** What moves an order, and where to. What may happen to an order in a status is said by {@link OrderStates}. */
public enum Trigger {
    PAY(OrderStatus.PAID),
    SHIP(OrderStatus.SHIPPED),
    COMPLETE(OrderStatus.COMPLETED),
    CANCEL(OrderStatus.CANCELLED);

    private final OrderStatus target;

    Trigger(OrderStatus target) {
        this.target = target;
    }

    public OrderStatus target() {
        return target;
    }
}
