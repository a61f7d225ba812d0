package dev.waybill.order.domain;

import dev.waybill.message.TraceId;
import dev.waybill.order.domain.StateChange.IgnoredReason;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The writes that belong together: status, history, event. Always inside the caller's transaction. */
public final class Moves {

    private final OrderBook book;
    private final OrderEvents events;
    private final Clock clock;

    public Moves(OrderBook book, OrderEvents events, Clock clock) {
        this.book = book;
        this.events = events;
        this.clock = clock;
    }

    /** Writes a new order, and tells others. */
    Order create(String orderNo, NewOrder wanted) {
        Instant now = now();
        OrderStatus born = OrderStates.next(null, Trigger.CREATE).orElseThrow();
        Basket basket = wanted.basket();
        Order order = new Order(orderNo, wanted.userId(), born, basket.amount(), basket.items(), 0, now, now);
        book.insert(order, wanted.clientRequestId());
        record(null, order, Trigger.CREATE, events.created(order), null);
        return order;
    }

    /** Cancels if the order still stands where it was read, and tells others; empty if it does not. */
    Optional<Order> cancel(Order order, OrderStatus next) {
        Instant now = now();
        if (!book.move(order.orderNo(), order.status(), next, now)) {
            return Optional.empty();
        }
        Order canceled = order.movedTo(next, now);
        record(order.status(), canceled, Trigger.CANCEL, events.canceled(canceled), null);
        return Optional.of(canceled);
    }

    /** Follows a stock event if the order still stands where it was read. */
    boolean follow(Order order, OrderStatus next, Trigger trigger, String eventId) {
        Instant now = now();
        if (!book.move(order.orderNo(), order.status(), next, now)) {
            return false;
        }
        record(order.status(), order.movedTo(next, now), trigger, eventId, null);
        return true;
    }

    /** Leaves the order as it is, and says why. */
    void ignore(Order order, Trigger trigger, String eventId, IgnoredReason reason) {
        record(order.status(), order, trigger, eventId, reason);
    }

    private void record(
            @Nullable OrderStatus from, Order order, Trigger trigger, String eventId, @Nullable IgnoredReason reason) {
        book.record(
                order.orderNo(),
                new StateChange(from, order.status(), trigger, eventId, reason, MDC.get(TraceId.KEY), now()));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
