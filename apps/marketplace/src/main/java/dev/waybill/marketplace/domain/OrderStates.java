package dev.waybill.marketplace.domain;

import java.util.Map;

/** The state machine: the status that each trigger starts from. A time-out is a cancel, and like it leaves only pending orders. */
public final class OrderStates {

    private static final Map<Trigger, OrderStatus> FROM = Map.of(
            Trigger.PAY, OrderStatus.PENDING,
            Trigger.SHIP, OrderStatus.PAID,
            Trigger.COMPLETE, OrderStatus.SHIPPED,
            Trigger.CANCEL, OrderStatus.PENDING);

    private OrderStates() {}

    public static boolean allows(OrderStatus from, Trigger trigger) {
        return FROM.get(trigger) == from;
    }

    /** Whether an order in this status has been in the other one, or is. */
    public static boolean hasReached(OrderStatus now, OrderStatus earlier) {
        return now == earlier
                || (now != OrderStatus.CANCELLED && earlier != OrderStatus.CANCELLED && now.compareTo(earlier) > 0);
    }
}
