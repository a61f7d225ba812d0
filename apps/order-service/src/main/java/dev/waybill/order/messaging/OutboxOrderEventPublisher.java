package dev.waybill.order.messaging;

import dev.waybill.message.Event;
import dev.waybill.order.domain.Order;
import dev.waybill.order.domain.OrderEventPublisher;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;

/** Publishes through the outbox; the settings hold topic and tag of each type as routes. */
final class OutboxOrderEventPublisher implements OrderEventPublisher {

    private final Outbox outbox;
    private final PayloadWriter payloads;

    OutboxOrderEventPublisher(Outbox outbox, PayloadWriter payloads) {
        this.outbox = outbox;
        this.payloads = payloads;
    }

    @Override
    public String created(Order order) {
        return publish("OrderCreated", order);
    }

    @Override
    public String canceled(Order order) {
        return publish("OrderCanceled", order);
    }

    private String publish(String type, Order order) {
        return outbox.publish(Event.builder(type)
                .aggregate("Order", order.orderNo())
                .bizKey(order.orderNo())
                .payload(payloads.write(OrderChanged.of(order)))
                .build());
    }
}
