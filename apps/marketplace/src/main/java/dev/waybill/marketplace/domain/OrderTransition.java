package dev.waybill.marketplace.domain;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.time.Instant;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Moves an order to another status, with everything that belongs to it. Joins the caller's transaction. */
@Component
class OrderTransition {

    private final OrderRepository orders;
    private final FulfillmentRepository fulfillments;
    private final OrderCancellation cancellation;
    private final OrderEventPublisher publisher;

    OrderTransition(
            OrderRepository orders,
            FulfillmentRepository fulfillments,
            OrderCancellation cancellation,
            OrderEventPublisher publisher) {
        this.orders = orders;
        this.fulfillments = fulfillments;
        this.cancellation = cancellation;
        this.publisher = publisher;
    }

    /** The order afterwards; empty when its status was changed by another transaction since it was read. */
    Optional<Order> apply(Order order, Trigger trigger, Instant now) {
        if (order.status() == trigger.target()) {
            return Optional.of(order);
        }
        if (order.status() != trigger.from()) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        if (!orders.move(order.id(), trigger, now)) {
            return Optional.empty();
        }
        Order after = orders.find(order.id()).orElseThrow();
        switch (trigger) {
            case PAY -> publisher.paid(after);
            case SHIP -> {
                fulfillments.shipped(after.id());
                publisher.statusChanged(order.status(), after);
            }
            case COMPLETE -> publisher.statusChanged(order.status(), after);
            case CANCEL -> cancellation.release(after, now);
        }
        return Optional.of(after);
    }
}
