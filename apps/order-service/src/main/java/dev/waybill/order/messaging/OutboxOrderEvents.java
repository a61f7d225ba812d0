package dev.waybill.order.messaging;

import dev.waybill.message.Event;
import dev.waybill.order.domain.Order;
import dev.waybill.order.domain.OrderEvents;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import org.springframework.stereotype.Component;

/** Events through the outbox; topic and tag of each type are routes in the settings. */
@Component
class OutboxOrderEvents implements OrderEvents {

    private final Outbox outbox;
    private final PayloadWriter payloads;

    OutboxOrderEvents(Outbox outbox, PayloadWriter payloads) {
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
