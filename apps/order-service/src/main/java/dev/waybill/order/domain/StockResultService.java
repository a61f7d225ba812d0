package dev.waybill.order.domain;

import dev.waybill.order.domain.StateChange.IgnoredReason;
import java.util.Optional;

/**
 * Applies the inventory's results to orders. The first result wins; a later one, or one that comes after a cancel, leaves the
 * order as it is and is written into its history.
 */
public final class StockResultService {

    /** What became of a result. */
    public sealed interface Outcome {

        /** The order's status changed. */
        record Applied() implements Outcome {}

        /** The order stays as it is. */
        record Ignored(IgnoredReason reason) implements Outcome {}

        /** There is no such order. */
        record NoSuchOrder() implements Outcome {}
    }

    private final OrderRepository orders;
    private final OrderTransitions transitions;
    private final OrderCheckpoints checkpoints;

    public StockResultService(OrderRepository orders, OrderTransitions transitions, OrderCheckpoints checkpoints) {
        this.orders = orders;
        this.transitions = transitions;
        this.checkpoints = checkpoints;
    }

    /** Runs in the caller's transaction. */
    public Outcome apply(String orderNo, Trigger trigger, String eventId) {
        Optional<Order> found = orders.find(orderNo);
        if (found.isEmpty()) {
            return new Outcome.NoSuchOrder();
        }
        Order order = found.get();
        Optional<OrderStatus> next = OrderStates.next(order.status(), trigger);
        if (next.isEmpty()) {
            return ignored(order, trigger, eventId, IgnoredReason.STATUS_NOT_CREATED);
        }
        checkpoints.reached(OrderCheckpoints.Place.STOCK_READ, orderNo);
        if (!transitions.apply(order, next.get(), trigger, eventId)) {
            Order now = orders.findAndLock(orderNo).orElse(order);
            return ignored(now, trigger, eventId, IgnoredReason.CAS_CONFLICT);
        }
        checkpoints.reached(OrderCheckpoints.Place.STOCK_WRITTEN, orderNo);
        return new Outcome.Applied();
    }

    private Outcome ignored(Order order, Trigger trigger, String eventId, IgnoredReason reason) {
        transitions.ignore(order, trigger, eventId, reason);
        return new Outcome.Ignored(reason);
    }
}
