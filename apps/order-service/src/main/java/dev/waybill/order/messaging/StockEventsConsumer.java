package dev.waybill.order.messaging;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.order.domain.StockAnswers;
import dev.waybill.order.domain.StockAnswers.Outcome;
import dev.waybill.order.domain.Trigger;
import dev.waybill.starter.inbox.WaybillListener;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Listens to what the inventory says about orders. */
@Component
class StockEventsConsumer {

    static final String NO_SUCH_ORDER = "订单不存在";
    static final String NO_ORDER_NUMBER = "缺少订单号";

    /** All that matters here; what else the inventory tells is for others. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record StockAnswer(@Nullable String orderNo) {}

    private final StockAnswers answers;

    StockEventsConsumer(StockAnswers answers) {
        this.answers = answers;
    }

    @WaybillListener(
            topic = "${order.stock-topic}",
            group = "${order.stock-group}",
            types = "StockReserved",
            tag = "STOCK_RESERVED")
    HandlerResult reserved(StockAnswer answer, Event event) {
        return take(answer, Trigger.STOCK_RESERVED, event);
    }

    @WaybillListener(
            topic = "${order.stock-topic}",
            group = "${order.stock-group}",
            types = "StockReserveFailed",
            tag = "STOCK_RESERVE_FAILED")
    HandlerResult failed(StockAnswer answer, Event event) {
        return take(answer, Trigger.STOCK_RESERVE_FAILED, event);
    }

    private HandlerResult take(StockAnswer answer, Trigger trigger, Event event) {
        String orderNo = answer.orderNo();
        if (orderNo == null) {
            return HandlerResult.reject(NO_ORDER_NUMBER);
        }
        Outcome outcome = answers.take(orderNo, trigger, event.eventId());
        if (outcome instanceof Outcome.Ignored ignored) {
            return HandlerResult.ignored(ignored.reason().name());
        }
        return outcome instanceof Outcome.NoSuchOrder ? HandlerResult.reject(NO_SUCH_ORDER) : HandlerResult.DONE;
    }
}
