package dev.waybill.inventory.messaging;

import dev.waybill.inbox.InboxListener;
import dev.waybill.inventory.domain.Cause;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.ReservationResult;
import dev.waybill.inventory.domain.ReservationService;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Consumes the orders' events. One without an order number, or with lines that are not valid, is a dead letter at once. */
@Component
class OrderEventConsumer implements InboxListener {

    private static final Logger log = LoggerFactory.getLogger(OrderEventConsumer.class);
    private static final String TOPIC = "${inventory.order-topic:ORDER_TOPIC}";
    private static final String GROUP = "${inventory.group:inventory-service}";
    private static final String CREATED = "OrderCreated";
    private static final String CANCELED = "OrderCanceled";

    private final ReservationService reservations;

    OrderEventConsumer(ReservationService reservations) {
        this.reservations = reservations;
    }

    @WaybillListener(topic = TOPIC, group = GROUP, types = CREATED, tag = "ORDER_CREATED")
    public HandlerResult created(OrderPayload payload, Event event) {
        Optional<OrderLines> order = payload.lines();
        if (order.isEmpty()) {
            return HandlerResult.reject("OrderCreated without an order number, or with lines that cannot be");
        }
        return handled(order.get().orderNo(), reservations.reserve(order.get(), cause(event)));
    }

    @WaybillListener(topic = TOPIC, group = GROUP, types = CANCELED, tag = "ORDER_CANCELED")
    public HandlerResult canceled(OrderPayload payload, Event event) {
        Optional<String> orderNo = payload.validOrderNo();
        if (orderNo.isEmpty()) {
            return HandlerResult.reject("OrderCanceled without an order number");
        }
        return handled(orderNo.get(), reservations.release(orderNo.get(), cause(event)));
    }

    /** The library tells of it at DEBUG; in this service operators rely on the line, and on the name that it begins with. */
    @Override
    public void consumed(Event event, String group, Duration cost) {
        log.info(
                "[{}] Message consumed successfully eventId={} traceId={} type={} group={} costMs={}",
                CREATED.equals(event.type()) ? "OrderCreatedConsumer" : "OrderCanceledConsumer",
                LogText.token(event.eventId()),
                LogText.token(event.traceId()),
                LogText.token(event.type()),
                group,
                cost.toMillis());
    }

    private static Cause cause(Event event) {
        return new Cause(event.type(), event.eventId());
    }

    private static HandlerResult handled(String orderNo, ReservationResult result) {
        log.debug(
                "[Reservations] {} orderNo={}",
                result.getClass().getSimpleName().toLowerCase(Locale.ROOT),
                orderNo);
        return result instanceof ReservationResult.Ignored ignored
                ? HandlerResult.ignored(ignored.reason())
                : HandlerResult.DONE;
    }
}
