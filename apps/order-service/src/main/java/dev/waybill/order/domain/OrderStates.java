package dev.waybill.order.domain;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state machine as one table, from which the service decides and a test draws the documentation's diagram. A change that
 * is not in the table is forbidden; a status that no row leaves is final.
 */
final class OrderStates {

    /** One row: the status before (null where there is no order yet), the trigger, the status after. */
    record Transition(@Nullable OrderStatus from, Trigger trigger, OrderStatus to) {}

    static final List<Transition> TABLE = List.of(
            new Transition(null, Trigger.CREATE, OrderStatus.CREATED),
            new Transition(OrderStatus.CREATED, Trigger.STOCK_RESERVED, OrderStatus.STOCK_RESERVED),
            new Transition(OrderStatus.CREATED, Trigger.STOCK_RESERVE_FAILED, OrderStatus.STOCK_FAILED),
            new Transition(OrderStatus.CREATED, Trigger.CANCEL, OrderStatus.CANCELED),
            new Transition(OrderStatus.STOCK_RESERVED, Trigger.CANCEL, OrderStatus.CANCELED));

    private OrderStates() {}

    /** The next status; empty where the change is forbidden. */
    static Optional<OrderStatus> next(@Nullable OrderStatus from, Trigger trigger) {
        return TABLE.stream()
                .filter(row -> row.from() == from && row.trigger() == trigger)
                .map(Transition::to)
                .findFirst();
    }
}
