package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.FollowUps;
import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderBook;
import dev.waybill.marketplace.domain.OrderStates;
import dev.waybill.marketplace.domain.OrderStatus;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Tells buyer and seller that an order was shipped or completed, if it really got there. */
@Component
class StatusSyncConsumer {

    /** What is told, by the change. No other change is ever published. */
    private static final Map<String, String> WORDS = Map.of(
            "paid>shipped", "订单 %s 已发货",
            "shipped>completed", "订单 %s 已完成");

    private final OrderBook book;
    private final FollowUps followUps;
    private final Clock clock;

    StatusSyncConsumer(OrderBook book, FollowUps followUps, Clock clock) {
        this.book = book;
        this.followUps = followUps;
        this.clock = clock;
    }

    @WaybillListener(queue = Topology.STATUS_SYNC, group = Topology.CONSUMER, types = EventTypes.ORDER_STATUS_CHANGED)
    HandlerResult changed(OrderPayloads.StatusChanged payload, Event event) {
        return OrderMessage.check(
                event,
                payload,
                book,
                order -> tell(order, payload.oldStatus() + ">" + payload.newStatus(), event),
                payload.oldStatus(),
                payload.newStatus(),
                payload.changedAt());
    }

    private HandlerResult tell(Order order, String change, Event event) {
        String words = WORDS.get(change);
        if (words == null) {
            return HandlerResult.reject(OrderMessage.INVALID);
        }
        OrderStatus reached = OrderStatus.of(change.substring(change.indexOf('>') + 1));
        if (!OrderStates.hasReached(order.status(), reached)) {
            return HandlerResult.ignored("ORDER_IS_" + order.status());
        }
        Instant now = clock.instant();
        String content = words.formatted(order.orderNo());
        followUps.notify(order.buyerId(), order.id(), event.eventId(), content, now);
        followUps.notify(order.sellerId(), order.id(), event.eventId(), content, now);
        return HandlerResult.DONE;
    }
}
