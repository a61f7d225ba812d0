package dev.waybill.inventory.domain;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import java.util.List;
import org.springframework.stereotype.Component;

/** Publishes StockReserved and StockReserveFailed through the outbox; the settings hold topic and tag of each as routes. */
@Component
class StockEventPublisher {

    private final Outbox outbox;
    private final PayloadWriter payloads;

    StockEventPublisher(Outbox outbox, PayloadWriter payloads) {
        this.outbox = outbox;
        this.payloads = payloads;
    }

    /** The payload of StockReserveFailed. */
    record StockReserveFailed(String orderNo, List<ShortItem> shortItems) {}

    void reserved(OrderLines order) {
        publish("StockReserved", order.orderNo(), order);
    }

    void refused(String orderNo, List<ShortItem> shortItems) {
        publish("StockReserveFailed", orderNo, new StockReserveFailed(orderNo, shortItems));
    }

    private void publish(String type, String orderNo, Object payload) {
        outbox.publish(Event.builder(type)
                .aggregate("Reservation", orderNo)
                .bizKey(orderNo)
                .payload(payloads.write(payload))
                .build());
    }
}
