package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderEvents;
import dev.waybill.marketplace.domain.OrderRepository;
import dev.waybill.marketplace.domain.ProductRepository;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Clock;
import org.springframework.stereotype.Component;

/**
 * Updates the projection after an order was created. It copies the product's present status, which is on sale again if the
 * order was cancelled meanwhile.
 */
@Component
class InventoryUpdateConsumer {

    private final OrderRepository orders;
    private final ProductRepository products;
    private final Clock clock;

    InventoryUpdateConsumer(OrderRepository orders, ProductRepository products, Clock clock) {
        this.orders = orders;
        this.products = products;
        this.clock = clock;
    }

    @WaybillListener(queue = Topology.INVENTORY_UPDATE, group = Topology.CONSUMER, types = OrderEvents.ORDER_CREATED)
    HandlerResult created(OrderEvents.Created payload, Event event) {
        return OrderEventCheck.check(
                event,
                payload,
                orders,
                order -> project(order, payload),
                payload.buyerId(),
                payload.sellerId(),
                payload.productId(),
                payload.quantity(),
                payload.price());
    }

    private HandlerResult project(Order order, OrderEvents.Created payload) {
        Long productId = payload.productId();
        if (productId == null || productId != order.productId() || !products.project(productId, clock.instant())) {
            return HandlerResult.reject(OrderEventCheck.INVALID);
        }
        return HandlerResult.DONE;
    }
}
