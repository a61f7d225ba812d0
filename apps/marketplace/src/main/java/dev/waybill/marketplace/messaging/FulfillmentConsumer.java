package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.FulfillmentRepository;
import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderEvents;
import dev.waybill.marketplace.domain.OrderRepository;
import dev.waybill.marketplace.domain.OrderStatus;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Clock;
import org.springframework.stereotype.Component;

/** Starts the fulfilment of an order that has been paid, once, also when it is shipped by now. An unpaid one starts none. */
@Component
class FulfillmentConsumer {

    private final OrderRepository orders;
    private final FulfillmentRepository fulfillments;
    private final Clock clock;

    FulfillmentConsumer(OrderRepository orders, FulfillmentRepository fulfillments, Clock clock) {
        this.orders = orders;
        this.fulfillments = fulfillments;
        this.clock = clock;
    }

    @WaybillListener(queue = Topology.FULFILLMENT, group = Topology.CONSUMER, types = OrderEvents.ORDER_PAID)
    HandlerResult paid(OrderEvents.Paid payload, Event event) {
        return OrderEventCheck.check(
                event, payload, orders, order -> start(order.id(), event), payload.payTime(), payload.amount());
    }

    /** The row is locked, so that the order is not shipped while its fulfilment starts. */
    private HandlerResult start(long orderId, Event event) {
        Order order = orders.findAndLock(orderId).orElseThrow();
        if (!order.status().hasReached(OrderStatus.PAID)) {
            return HandlerResult.ignored("ORDER_IS_" + order.status());
        }
        if (fulfillments.find(orderId).isPresent()) {
            return HandlerResult.ignored("ALREADY_STARTED");
        }
        fulfillments.start(order, event.eventId(), clock.instant());
        return HandlerResult.DONE;
    }
}
