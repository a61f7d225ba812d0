package dev.waybill.order.domain;

import dev.waybill.order.domain.StateChange.IgnoredReason;
import java.util.Optional;

/**
 * Follows what the inventory answers. The first answer wins; whatever comes later, or too late, leaves the order as it is and
 * is written into its history.
 */
public final class StockAnswers {

    /** What became of an answer. */
    public sealed interface Outcome {

        /** The order moved. */
        record Followed() implements Outcome {}

        /** The order stays where it is. */
        record Ignored(IgnoredReason reason) implements Outcome {}

        /** There is no such order. */
        record NoSuchOrder() implements Outcome {}
    }

    private final OrderBook book;
    private final Moves moves;
    private final Steps steps;

    public StockAnswers(OrderBook book, Moves moves, Steps steps) {
        this.book = book;
        this.moves = moves;
        this.steps = steps;
    }

    /** Runs in the caller's transaction. */
    public Outcome take(String orderNo, Trigger trigger, String eventId) {
        Optional<Order> found = book.find(orderNo);
        if (found.isEmpty()) {
            return new Outcome.NoSuchOrder();
        }
        Order order = found.get();
        Optional<OrderStatus> next = OrderStates.next(order.status(), trigger);
        if (next.isEmpty()) {
            return ignored(order, trigger, eventId, IgnoredReason.STATUS_NOT_CREATED);
        }
        steps.reached(Steps.Place.STOCK_READ, orderNo);
        if (!moves.follow(order, next.get(), trigger, eventId)) {
            Order now = book.findAndLock(orderNo).orElse(order);
            return ignored(now, trigger, eventId, IgnoredReason.CAS_CONFLICT);
        }
        steps.reached(Steps.Place.STOCK_WRITTEN, orderNo);
        return new Outcome.Followed();
    }

    private Outcome ignored(Order order, Trigger trigger, String eventId, IgnoredReason reason) {
        moves.ignore(order, trigger, eventId, reason);
        return new Outcome.Ignored(reason);
    }
}
