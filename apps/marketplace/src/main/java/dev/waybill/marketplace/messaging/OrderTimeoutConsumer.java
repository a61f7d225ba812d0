package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderEventPublisher;
import dev.waybill.marketplace.domain.OrderEvents;
import dev.waybill.marketplace.domain.OrderRepository;
import dev.waybill.marketplace.domain.OrderTimeoutService;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Closes an order when its message leaves the delay queue. A message may be early, because the queue's TTL was changed or the
 * clocks differ; then ORDER_TIMEOUT is published again in the same transaction, so that the order is still closed.
 */
@Component
class OrderTimeoutConsumer {

    private static final Logger log = LoggerFactory.getLogger(OrderTimeoutConsumer.class);

    private final OrderRepository orders;
    private final OrderTimeoutService timeouts;
    private final OrderEventPublisher publisher;

    OrderTimeoutConsumer(OrderRepository orders, OrderTimeoutService timeouts, OrderEventPublisher publisher) {
        this.orders = orders;
        this.timeouts = timeouts;
        this.publisher = publisher;
    }

    @WaybillListener(queue = Topology.TIMEOUT, group = Topology.CONSUMER, types = OrderEvents.ORDER_TIMEOUT)
    HandlerResult timedOut(OrderEvents.Timeout payload, Event event) {
        return OrderEventCheck.check(event, payload, orders, this::close, payload.createTime());
    }

    private HandlerResult close(Order order) {
        return switch (timeouts.close(order.id())) {
            case CLOSED -> HandlerResult.DONE;
            case NOT_PENDING -> HandlerResult.ignored("ORDER_IS_NOT_PENDING");
            case EARLY -> {
                log.info("[OrderTimeoutConsumer] too early, comes back orderId={}", order.id());
                publisher.timeoutAgain(order);
                yield HandlerResult.ignored("EARLY");
            }
        };
    }
}
