package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.FollowUps;
import dev.waybill.marketplace.domain.Fulfillment;
import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderBook;
import dev.waybill.marketplace.domain.OrderStatus;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Clock;
import org.springframework.stereotype.Component;

/** Starts the fulfilment of a paid order, once; an order that is not in that status any more, or not yet, starts none. */
@Component
class FulfillmentConsumer {

    private final OrderBook book;
    private final FollowUps followUps;
    private final Clock clock;

    FulfillmentConsumer(OrderBook book, FollowUps followUps, Clock clock) {
        this.book = book;
        this.followUps = followUps;
        this.clock = clock;
    }

    @WaybillListener(queue = Topology.FULFILLMENT, group = Topology.CONSUMER, types = EventTypes.ORDER_PAID)
    HandlerResult paid(OrderPayloads.Paid payload, Event event) {
        return OrderMessage.check(
                event, payload, book, order -> start(order, event), payload.payTime(), payload.amount());
    }

    private HandlerResult start(Order order, Event event) {
        if (order.status() != OrderStatus.PAID) {
            return HandlerResult.ignored("ORDER_IS_" + order.status());
        }
        if (followUps.fulfillmentOf(order.id()).isPresent()) {
            return HandlerResult.ignored("ALREADY_STARTED");
        }
        followUps.start(new Fulfillment(order.id(), event.eventId(), Fulfillment.STARTED, clock.instant()));
        return HandlerResult.DONE;
    }
}
