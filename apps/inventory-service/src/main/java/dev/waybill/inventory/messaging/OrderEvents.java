package dev.waybill.inventory.messaging;

import dev.waybill.inventory.domain.Basket;
import dev.waybill.inventory.domain.Flow;
import dev.waybill.inventory.domain.Outcome;
import dev.waybill.inventory.domain.Reservations;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Consumes what orders tell, once. An event without an order or with impossible lines is a dead letter at once. */
@Component
class OrderEvents {

    private static final Logger log = LoggerFactory.getLogger(OrderEvents.class);
    private static final String TOPIC = "${inventory.order-topic:ORDER_TOPIC}";
    private static final String GROUP = "${inventory.group:inventory-service}";

    private final Reservations reservations;

    OrderEvents(Reservations reservations) {
        this.reservations = reservations;
    }

    @WaybillListener(topic = TOPIC, group = GROUP, types = "OrderCreated", tag = "ORDER_CREATED")
    public HandlerResult created(OrderMessage message, Event event) {
        Optional<Basket> basket = message.basket();
        if (basket.isEmpty()) {
            return HandlerResult.reject("OrderCreated without an order number, or with lines that cannot be");
        }
        return handled(basket.get().orderNo(), reservations.reserve(basket.get(), cause(event)));
    }

    @WaybillListener(topic = TOPIC, group = GROUP, types = "OrderCanceled", tag = "ORDER_CANCELED")
    public HandlerResult canceled(OrderMessage message, Event event) {
        Optional<String> orderNo = message.order();
        if (orderNo.isEmpty()) {
            return HandlerResult.reject("OrderCanceled without an order number");
        }
        return handled(orderNo.get(), reservations.release(orderNo.get(), cause(event)));
    }

    private static Flow.Cause cause(Event event) {
        return new Flow.Cause(event.type(), event.eventId());
    }

    private static HandlerResult handled(String orderNo, Outcome outcome) {
        log.debug(
                "[Reservations] {} orderNo={}",
                outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                orderNo);
        return outcome instanceof Outcome.Ignored ignored
                ? HandlerResult.ignored(ignored.reason())
                : HandlerResult.DONE;
    }
}
