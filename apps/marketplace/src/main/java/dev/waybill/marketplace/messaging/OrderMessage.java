package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderBook;
import dev.waybill.marketplace.messaging.OrderPayloads.OfOrder;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What every listener asks first. An event that fails here never gets better: it is a dead letter at once. */
final class OrderMessage {

    static final String MISSING = "事件数据缺失";
    static final String INVALID = "事件数据不合法";
    static final String NO_SUCH_ORDER = "订单不存在";

    private OrderMessage() {}

    /** Handles the order that the event names, if it names one properly. */
    static HandlerResult check(
            Event event,
            OfOrder payload,
            OrderBook book,
            Function<Order, HandlerResult> then,
            @Nullable Object... needed) {
        Long orderId = payload.orderId();
        String orderNo = payload.orderNo();
        if (orderId == null || orderNo == null || missing(needed)) {
            return HandlerResult.reject(MISSING);
        }
        if (!String.valueOf(orderId).equals(event.aggregateId())
                || !EventTypes.AGGREGATE.equals(event.aggregateType())) {
            return HandlerResult.reject(INVALID);
        }
        Optional<Order> order = book.find(orderId);
        if (order.isEmpty()) {
            return HandlerResult.reject(NO_SUCH_ORDER);
        }
        return order.get().orderNo().equals(orderNo) ? then.apply(order.get()) : HandlerResult.reject(INVALID);
    }

    private static boolean missing(@Nullable Object... needed) {
        return Arrays.stream(needed).anyMatch(Objects::isNull);
    }
}
