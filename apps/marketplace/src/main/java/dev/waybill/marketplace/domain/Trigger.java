package dev.waybill.marketplace.domain;

/** The state machine: what changes an order's status, and from which to which. A time-out is a cancel, of pending orders only. */
public enum Trigger {
    PAY(OrderStatus.PENDING, OrderStatus.PAID),
    SHIP(OrderStatus.PAID, OrderStatus.SHIPPED),
    COMPLETE(OrderStatus.SHIPPED, OrderStatus.COMPLETED),
    CANCEL(OrderStatus.PENDING, OrderStatus.CANCELLED);

    private final OrderStatus from;
    private final OrderStatus target;

    Trigger(OrderStatus from, OrderStatus target) {
        this.from = from;
        this.target = target;
    }

    OrderStatus from() {
        return from;
    }

    OrderStatus target() {
        return target;
    }

    /** Whose it is to do: sellers ship, buyers do everything else. */
    public long actor(Order order) {
        return this == SHIP ? order.sellerId() : order.buyerId();
    }
}
