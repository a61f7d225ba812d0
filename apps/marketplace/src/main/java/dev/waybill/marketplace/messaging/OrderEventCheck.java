package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderEvents;
import dev.waybill.marketplace.domain.OrderEvents.OfOrder;
import dev.waybill.marketplace.domain.OrderRepository;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks that an event names an existing order. One that fails would fail again, so it is a dead letter at once. The exception is
 * an order that is missing although this service published the event: both committed together, so the order is on its way, such
 * as in a restore or a replica that lags, and the event is delivered again.
 */
final class OrderEventCheck {

    static final String MISSING = "事件数据缺失";
    static final String INVALID = "事件数据不合法";
    static final String NO_SUCH_ORDER = "订单不存在";

    private OrderEventCheck() {}

    /** Handles the order that the event names, or rejects the event. */
    static HandlerResult check(
            Event event,
            OfOrder payload,
            OrderRepository orders,
            Function<Order, HandlerResult> then,
            @Nullable Object... needed) {
        Long orderId = payload.orderId();
        String orderNo = payload.orderNo();
        if (orderId == null || orderNo == null || missing(needed)) {
            return HandlerResult.reject(MISSING);
        }
        if (!String.valueOf(orderId).equals(event.aggregateId())
                || !OrderEvents.AGGREGATE.equals(event.aggregateType())) {
            return HandlerResult.reject(INVALID);
        }
        Optional<Order> order = orders.find(orderId);
        if (order.isEmpty()) {
            return orders.hasPublished(event.eventId())
                    ? HandlerResult.retry(NO_SUCH_ORDER)
                    : HandlerResult.reject(NO_SUCH_ORDER);
        }
        return order.get().orderNo().equals(orderNo) ? then.apply(order.get()) : HandlerResult.reject(INVALID);
    }

    private static boolean missing(@Nullable Object... needed) {
        return Arrays.stream(needed).anyMatch(Objects::isNull);
    }
}
