package dev.waybill.order.messaging;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.order.domain.StockResultService;
import dev.waybill.order.domain.StockResultService.Outcome;
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

    static final String NO_SUCH_ORDER = "订单不存在";
    static final String NO_ORDER_NUMBER = "缺少订单号";

    /** The only field that this service needs of the two payloads. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record StockResult(@Nullable String orderNo) {}

    private static final Logger log = LoggerFactory.getLogger(StockEventConsumer.class);

    private final StockResultService results;

    StockEventConsumer(StockResultService results) {
        this.results = results;
    }

    @WaybillListener(
            topic = "${order.stock-topic}",
            group = "${order.stock-group}",
            types = "StockReserved",
            tag = "STOCK_RESERVED")
    HandlerResult reserved(StockResult result, Event event) {
        return apply(result, Trigger.STOCK_RESERVED, event);
    }

    @WaybillListener(
            topic = "${order.stock-topic}",
            group = "${order.stock-group}",
            types = "StockReserveFailed",
            tag = "STOCK_RESERVE_FAILED")
    HandlerResult failed(StockResult result, Event event) {
        return apply(result, Trigger.STOCK_RESERVE_FAILED, event);
    }

    /** At INFO, like the line for a sent event; the library's own is at DEBUG. */
    @Override
    public void consumed(Event event, String group, Duration cost) {
        String keys = "eventId=" + LogText.token(event.eventId()) + " traceId=" + LogText.token(event.traceId());
        log.info("[StockEventConsumer] Message consumed successfully {} costMs={}", keys, cost.toMillis());
    }

    private HandlerResult apply(StockResult result, Trigger trigger, Event event) {
        String orderNo = result.orderNo();
        if (orderNo == null) {
            return HandlerResult.reject(NO_ORDER_NUMBER);
        }
        Outcome outcome = results.apply(orderNo, trigger, event.eventId());
        if (outcome instanceof Outcome.Ignored ignored) {
            return HandlerResult.ignored(ignored.reason().name());
        }
        return outcome instanceof Outcome.NoSuchOrder ? HandlerResult.reject(NO_SUCH_ORDER) : HandlerResult.DONE;
    }
}
