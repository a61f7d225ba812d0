package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderBook;
import dev.waybill.marketplace.domain.OrderEvents;
import dev.waybill.marketplace.domain.Timeouts;
import dev.waybill.marketplace.domain.Timeouts.Outcome;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Closes an order when its message comes out of the delay queue. A message that is too early, because the queue's TTL or
 * somebody's clock is not what it was, is followed by another one in the same transaction: it is never dropped.
 */
@Component
class OrderTimeoutConsumer {

    private static final Logger log = LoggerFactory.getLogger(OrderTimeoutConsumer.class);

    private final OrderBook book;
    private final Timeouts timeouts;
    private final OrderEvents events;

    OrderTimeoutConsumer(OrderBook book, Timeouts timeouts, OrderEvents events) {
        this.book = book;
        this.timeouts = timeouts;
        this.events = events;
    }

    @WaybillListener(queue = Topology.TIMEOUT, group = Topology.CONSUMER, types = EventTypes.ORDER_TIMEOUT)
    HandlerResult timedOut(OrderPayloads.Timeout payload, Event event) {
        return OrderMessage.check(event, payload, book, this::close, payload.createTime());
    }

    private HandlerResult close(Order order) {
        Outcome outcome = timeouts.close(order.id());
        if (outcome instanceof Outcome.Closed) {
            return HandlerResult.DONE;
        }
        if (outcome instanceof Outcome.Early early) {
            log.info("[OrderTimeoutConsumer] too early, comes back orderId={}", order.id());
            events.waitOn(early.order());
            return HandlerResult.ignored("EARLY");
        }
        return outcome instanceof Outcome.NotPending settled
                ? HandlerResult.ignored("ORDER_IS_" + settled.status())
                : HandlerResult.reject(OrderMessage.NO_SUCH_ORDER);
    }
}
