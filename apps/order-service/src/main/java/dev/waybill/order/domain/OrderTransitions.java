package dev.waybill.order.domain;

import dev.waybill.message.TraceId;
import dev.waybill.order.domain.StateChange.IgnoredReason;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Writes an order's status, its history and its event together, in the caller's transaction. */
public final class OrderTransitions {

    private final OrderRepository orders;
    private final OrderEventPublisher publisher;
    private final Clock clock;

    public OrderTransitions(OrderRepository orders, OrderEventPublisher publisher, Clock clock) {
        this.orders = orders;
        this.publisher = publisher;
        this.clock = clock;
    }

    /** Stores a new order and publishes OrderCreated. */
    Order create(String orderNo, NewOrder wanted) {
        Instant now = now();
        OrderStatus first = OrderStates.next(null, Trigger.CREATE).orElseThrow();
        OrderItems items = wanted.items();
        Order order = new Order(orderNo, wanted.userId(), first, items.amount(), items.list(), 0, now, now);
        orders.insert(order, wanted.clientRequestId());
        record(null, order, Trigger.CREATE, publisher.created(order), null);
        return order;
    }

    /** Cancels the order and publishes OrderCanceled, unless its status has changed since it was read; then empty. */
    Optional<Order> cancel(Order order, OrderStatus next) {
        Instant now = now();
        if (!orders.move(order.orderNo(), order.status(), next, now)) {
            return Optional.empty();
        }
        Order canceled = order.movedTo(next, now);
        record(order.status(), canceled, Trigger.CANCEL, publisher.canceled(canceled), null);
        return Optional.of(canceled);
    }

    /** Applies a stock event, unless the order's status has changed since it was read; then false. */
    boolean apply(Order order, OrderStatus next, Trigger trigger, String eventId) {
        Instant now = now();
        if (!orders.move(order.orderNo(), order.status(), next, now)) {
            return false;
        }
        record(order.status(), order.movedTo(next, now), trigger, eventId, null);
        return true;
    }

    /** Leaves the order as it is and writes the reason into its history. */
    void ignore(Order order, Trigger trigger, String eventId, IgnoredReason reason) {
        record(order.status(), order, trigger, eventId, reason);
    }

    private void record(
            @Nullable OrderStatus from, Order order, Trigger trigger, String eventId, @Nullable IgnoredReason reason) {
        orders.record(
                order.orderNo(),
                new StateChange(from, order.status(), trigger, eventId, reason, MDC.get(TraceId.KEY), now()));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
