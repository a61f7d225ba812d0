package dev.waybill.order.domain;

import dev.waybill.message.TraceId;
import dev.waybill.order.domain.StateChange.IgnoredReason;
import dev.waybill.servicekit.SerialNumbers;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;

/** Writes an order's status, its history and its event together, in the caller's transaction. */
@Component
class OrderTransitions {

    private final OrderRepository orders;
    private final StateFlowRepository flows;
    private final OrderEventPublisher publisher;
    private final SerialNumbers numbers;
    private final Clock clock;

    OrderTransitions(
            OrderRepository orders,
            StateFlowRepository flows,
            OrderEventPublisher publisher,
            SerialNumbers numbers,
            Clock clock) {
        this.orders = orders;
        this.flows = flows;
        this.publisher = publisher;
        this.numbers = numbers;
        this.clock = clock;
    }

    /** Stores a new order and publishes OrderCreated. */
    Order create(NewOrder wanted) {
        Instant now = now();
        OrderStatus first = OrderStates.next(null, Trigger.CREATE).orElseThrow();
        Order order = new Order(numbers.next(), wanted.userId(), first, wanted.amount(), wanted.items(), 0, now, now);
        orders.insert(order, wanted.clientRequestId());
        published(null, order, Trigger.CREATE, OrderEventPublisher.CREATED);
        return order;
    }

    /** Cancels the order and publishes OrderCanceled, unless its status has changed since it was read; then empty. */
    Optional<Order> cancel(Order order, OrderStatus next) {
        Order canceled = order.movedTo(next, now());
        if (!orders.move(order.orderNo(), order.status(), next, canceled.updatedAt())) {
            return Optional.empty();
        }
        published(order.status(), canceled, Trigger.CANCEL, OrderEventPublisher.CANCELED);
        return Optional.of(canceled);
    }

    /** Applies a stock event, unless the order's status has changed since it was read; then false. */
    boolean apply(Order order, OrderStatus next, OrderEvent event) {
        if (!orders.move(order.orderNo(), order.status(), next, now())) {
            return false;
        }
        record(order.status(), next, event, null);
        return true;
    }

    /** Leaves the order as it is and writes the reason into its history. */
    void ignore(Order order, OrderEvent event, IgnoredReason reason) {
        record(order.status(), order.status(), event, reason);
    }

    private void published(@Nullable OrderStatus from, Order order, Trigger trigger, String eventType) {
        String eventId = publisher.publish(eventType, order);
        record(from, order.status(), new OrderEvent(order.orderNo(), trigger, eventId, order.updatedAt()), null);
    }

    private void record(@Nullable OrderStatus from, OrderStatus to, OrderEvent event, @Nullable IgnoredReason reason) {
        flows.insert(
                event.orderNo(),
                new StateChange(
                        from,
                        to,
                        event.trigger(),
                        event.eventId(),
                        event.eventTime(),
                        reason,
                        MDC.get(TraceId.KEY),
                        now()));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
