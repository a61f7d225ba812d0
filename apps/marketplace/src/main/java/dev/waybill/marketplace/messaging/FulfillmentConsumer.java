package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.Fulfillment;
import dev.waybill.marketplace.domain.FulfillmentRepository;
import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderRepository;
import dev.waybill.marketplace.domain.OrderStatus;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Clock;
import org.springframework.stereotype.Component;

/** Starts the fulfilment of a paid order, once. An order with another status starts none. */
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

    @WaybillListener(queue = Topology.FULFILLMENT, group = Topology.CONSUMER, types = EventTypes.ORDER_PAID)
    HandlerResult paid(OrderPayloads.Paid payload, Event event) {
        return OrderEventCheck.check(
                event, payload, orders, order -> start(order, event), payload.payTime(), payload.amount());
    }

    private HandlerResult start(Order order, Event event) {
        if (order.status() != OrderStatus.PAID) {
            return HandlerResult.ignored("ORDER_IS_" + order.status());
        }
        if (fulfillments.find(order.id()).isPresent()) {
            return HandlerResult.ignored("ALREADY_STARTED");
        }
        fulfillments.insert(new Fulfillment(order.id(), event.eventId(), Fulfillment.STARTED, clock.instant()));
        return HandlerResult.DONE;
    }
}
