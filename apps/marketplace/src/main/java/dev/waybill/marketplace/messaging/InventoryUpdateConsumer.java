package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderBook;
import dev.waybill.marketplace.domain.Shelf;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Clock;
import org.springframework.stereotype.Component;

/**
 * Brings the projection up to date after an order was created. It copies what the product says now: when the order was
 * cancelled meanwhile, that is on sale.
 */
@Component
class InventoryUpdateConsumer {

    private final OrderBook book;
    private final Shelf shelf;
    private final Clock clock;

    InventoryUpdateConsumer(OrderBook book, Shelf shelf, Clock clock) {
        this.book = book;
        this.shelf = shelf;
        this.clock = clock;
    }

    @WaybillListener(queue = Topology.INVENTORY_UPDATE, group = Topology.CONSUMER, types = EventTypes.ORDER_CREATED)
    HandlerResult created(OrderPayloads.Created payload, Event event) {
        return OrderMessage.check(
                event,
                payload,
                book,
                order -> project(order, payload),
                payload.buyerId(),
                payload.sellerId(),
                payload.productId(),
                payload.quantity(),
                payload.price());
    }

    private HandlerResult project(Order order, OrderPayloads.Created payload) {
        Long productId = payload.productId();
        if (productId == null || productId != order.productId() || !shelf.project(productId, clock.instant())) {
            return HandlerResult.reject(OrderMessage.INVALID);
        }
        return HandlerResult.DONE;
    }
}
