package dev.waybill.inventory.messaging;

import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.ShortItem;
import dev.waybill.inventory.domain.StockEventPublisher;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import java.util.List;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Publishes StockReserved and StockReserveFailed through the outbox; the settings hold topic and tag of each as routes. */
@Component
class OutboxStockEventPublisher implements StockEventPublisher {

    private final Outbox outbox;
    private final JsonMapper json;

    OutboxStockEventPublisher(Outbox outbox, JsonMapper json) {
        this.outbox = outbox;
        this.json = json;
    }

    /** The payload of StockReserved. */
    record StockReserved(String orderNo, List<Item> items) {}

    /** A reserved line. */
    record Item(long warehouseId, String skuId, long quantity) {

        static Item of(Line line) {
            return new Item(line.key().warehouseId(), line.key().skuId(), line.quantity());
        }
    }

    /** The payload of StockReserveFailed. */
    record StockReserveFailed(String orderNo, List<ShortItem> shortItems) {}

    @Override
    public void reserved(OrderLines order) {
        List<Item> items = order.lines().stream().map(Item::of).toList();
        publish("StockReserved", order.orderNo(), new StockReserved(order.orderNo(), items));
    }

    @Override
    public void refused(String orderNo, List<ShortItem> shortItems) {
        publish("StockReserveFailed", orderNo, new StockReserveFailed(orderNo, shortItems));
    }

    private void publish(String type, String orderNo, Object payload) {
        outbox.publish(Event.builder(type)
                .aggregate("Reservation", orderNo)
                .bizKey(orderNo)
                .payload(json.writeValueAsString(payload))
                .build());
    }
}
