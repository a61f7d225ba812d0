package dev.waybill.order.messaging;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.order.domain.OrderEvent;
import dev.waybill.order.domain.OrderService;
import dev.waybill.order.domain.Trigger;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Consumes the inventory's results. */
@Component
class StockEventConsumer implements InboxListener {

    /** The only field that this service needs of the two payloads. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record StockResult(@Nullable String orderNo) {}

    private static final Logger log = LoggerFactory.getLogger(StockEventConsumer.class);
    private static final String TOPIC = "${order.stock-topic}";
    private static final String GROUP = "${order.stock-group}";

    private final OrderService orders;

    StockEventConsumer(OrderService orders) {
        this.orders = orders;
    }

    @WaybillListener(topic = TOPIC, group = GROUP, types = "StockReserved", tag = "STOCK_RESERVED")
    HandlerResult reserved(StockResult result, Event event) {
        return apply(result, Trigger.STOCK_RESERVED, event);
    }

    @WaybillListener(topic = TOPIC, group = GROUP, types = "StockReserveFailed", tag = "STOCK_RESERVE_FAILED")
    HandlerResult failed(StockResult result, Event event) {
        return apply(result, Trigger.STOCK_RESERVE_FAILED, event);
    }

    /** At INFO, like the line for a sent event; the library's own is at DEBUG. */
    @Override
    public void consumed(Event event, String group, Duration cost) {
        log.info(
                "[StockEventConsumer] Message consumed successfully eventId={} traceId={} eventTime={} costMs={}",
                LogText.token(event.eventId()),
                LogText.token(event.traceId()),
                event.occurredAt(),
                cost.toMillis());
    }

    private HandlerResult apply(StockResult result, Trigger trigger, Event event) {
        String orderNo = result.orderNo();
        if (orderNo == null) {
            return HandlerResult.reject("缺少订单号");
        }
        return orders.apply(new OrderEvent(orderNo, trigger, event.eventId(), event.occurredAt()));
    }
}
