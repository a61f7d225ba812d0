package dev.waybill.marketplace.domain;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Publishes the orders' events through the outbox: an event commits with the caller's transaction or not at all. The settings
 * hold exchange and routing key of each type as routes.
 */
@Component
public class OrderEventPublisher {

    private final Outbox outbox;
    private final PayloadWriter payloads;
    private final Clock clock;

    OrderEventPublisher(Outbox outbox, PayloadWriter payloads, Clock clock) {
        this.outbox = outbox;
        this.payloads = payloads;
        this.clock = clock;
    }

    /** Publishes two events: ORDER_CREATED, and the ORDER_TIMEOUT that the delay queue holds back until the order is due. */
    void created(Order order) {
        var payload = new OrderEvents.Created(
                order.id(),
                order.orderNo(),
                order.buyerId(),
                order.sellerId(),
                order.productId(),
                order.quantity(),
                order.price(),
                order.totalAmount());
        outbox.publishAll(List.of(
                event(OrderEvents.ORDER_CREATED, order, order.createTime(), payload),
                timeout(order, order.createTime())));
    }

    void paid(Order order) {
        var payload = new OrderEvents.Paid(order.id(), order.orderNo(), order.payTime(), order.totalAmount());
        outbox.publish(event(OrderEvents.ORDER_PAID, order, order.updateTime(), payload));
    }

    /** The order has left the old status. */
    void statusChanged(OrderStatus old, Order order) {
        var payload = new OrderEvents.StatusChanged(
                order.id(), order.orderNo(), old.word(), order.status().word(), order.updateTime());
        outbox.publish(event(OrderEvents.ORDER_STATUS_CHANGED, order, order.updateTime(), payload));
    }

    /** Publishes ORDER_TIMEOUT again, because the first one arrived before the order was due. */
    public void timeoutAgain(Order order) {
        outbox.publish(timeout(order, clock.instant()));
    }

    private Event timeout(Order order, Instant at) {
        return event(
                OrderEvents.ORDER_TIMEOUT,
                order,
                at,
                new OrderEvents.Timeout(order.id(), order.orderNo(), order.createTime()));
    }

    private Event event(String type, Order order, Instant at, Object payload) {
        return Event.builder(type)
                .aggregate(OrderEvents.AGGREGATE, String.valueOf(order.id()))
                .bizKey(order.orderNo())
                .occurredAt(at)
                .payload(payloads.write(payload))
                .build();
    }
}
