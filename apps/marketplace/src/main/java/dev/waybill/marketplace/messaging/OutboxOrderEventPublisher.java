package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderEventPublisher;
import dev.waybill.marketplace.domain.OrderStatus;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import java.time.Instant;
import java.util.List;

/** Publishes through the outbox; the settings hold exchange and routing key of each type as routes. */
final class OutboxOrderEventPublisher implements OrderEventPublisher {

    private final Outbox outbox;
    private final PayloadWriter payloads;

    OutboxOrderEventPublisher(Outbox outbox, PayloadWriter payloads) {
        this.outbox = outbox;
        this.payloads = payloads;
    }

    @Override
    public void created(Order order) {
        var payload = new OrderPayloads.Created(
                order.id(),
                order.orderNo(),
                order.buyerId(),
                order.sellerId(),
                order.productId(),
                order.quantity(),
                order.price(),
                order.totalAmount());
        outbox.publishAll(List.of(
                event(EventTypes.ORDER_CREATED, order, order.createTime(), payload),
                timeout(order, order.createTime())));
    }

    @Override
    public void paid(Order order) {
        var payload = new OrderPayloads.Paid(order.id(), order.orderNo(), order.payTime(), order.totalAmount());
        outbox.publish(event(EventTypes.ORDER_PAID, order, order.updateTime(), payload));
    }

    @Override
    public void statusChanged(OrderStatus old, Order order) {
        var payload = new OrderPayloads.StatusChanged(
                order.id(), order.orderNo(), old.word(), order.status().word(), order.updateTime());
        outbox.publish(event(EventTypes.ORDER_STATUS_CHANGED, order, order.updateTime(), payload));
    }

    @Override
    public void timeoutAgain(Order order) {
        outbox.publish(timeout(order, Instant.now()));
    }

    private Event timeout(Order order, Instant at) {
        return event(
                EventTypes.ORDER_TIMEOUT,
                order,
                at,
                new OrderPayloads.Timeout(order.id(), order.orderNo(), order.createTime()));
    }

    private Event event(String type, Order order, Instant at, Object payload) {
        return Event.builder(type)
                .aggregate(EventTypes.AGGREGATE, String.valueOf(order.id()))
                .bizKey(order.orderNo())
                .occurredAt(at)
                .payload(payloads.write(payload))
                .build();
    }
}
