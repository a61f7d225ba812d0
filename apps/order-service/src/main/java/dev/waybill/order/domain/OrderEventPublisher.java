package dev.waybill.order.domain;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import java.math.BigDecimal;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Publishes the order's events through the outbox: an event commits with the caller's transaction or not at all. The settings
 * hold topic and tag of each type as routes.
 */
@Component
class OrderEventPublisher {

    static final String CREATED = "OrderCreated";
    static final String CANCELED = "OrderCanceled";

    private record Payload(String orderNo, long userId, BigDecimal amount, List<Item> items) {}

    private final Outbox outbox;
    private final PayloadWriter payloads;

    OrderEventPublisher(Outbox outbox, PayloadWriter payloads) {
        this.outbox = outbox;
        this.payloads = payloads;
    }

    /** Says what the order's last change was, and when; returns the event's id. */
    String publish(String type, Order order) {
        return outbox.publish(Event.builder(type)
                .aggregate("Order", order.orderNo())
                .bizKey(order.orderNo())
                .occurredAt(order.updatedAt())
                .payload(payloads.write(new Payload(order.orderNo(), order.userId(), order.amount(), order.items())))
                .build());
    }
}
