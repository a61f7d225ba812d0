package dev.waybill.order.messaging;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.order.domain.StockResultService;
import dev.waybill.order.domain.StockResultService.Outcome;
import dev.waybill.order.domain.Trigger;
import dev.waybill.starter.inbox.WaybillListener;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Consumes the inventory's results. */
@Component
class StockEventConsumer {

    static final String NO_SUCH_ORDER = "订单不存在";
    static final String NO_ORDER_NUMBER = "缺少订单号";

    /** The only field that this service needs of the two payloads. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record StockResult(@Nullable String orderNo) {}

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
