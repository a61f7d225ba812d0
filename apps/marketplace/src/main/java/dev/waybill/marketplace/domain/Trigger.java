package dev.waybill.marketplace.domain;

/** What changes an order's status, and to which. {@link OrderStates} has the status that each starts from. */
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
