package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.domain.NotificationRepository;
import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderEvents;
import dev.waybill.marketplace.domain.OrderRepository;
import dev.waybill.marketplace.domain.OrderStatus;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.starter.inbox.WaybillListener;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Notifies buyer and seller that an order was shipped or completed, after checking that it has reached that status. */
@Component
class StatusSyncConsumer {

    /** The notification for each change of status. No other change is published. */
    private static final Map<String, String> WORDS = Map.of(
            "paid>shipped", "订单 %s 已发货",
            "shipped>completed", "订单 %s 已完成");

    private final OrderRepository orders;
    private final NotificationRepository notifications;
    private final Clock clock;

    StatusSyncConsumer(OrderRepository orders, NotificationRepository notifications, Clock clock) {
        this.orders = orders;
        this.notifications = notifications;
        this.clock = clock;
    }

    @WaybillListener(queue = Topology.STATUS_SYNC, group = Topology.CONSUMER, types = OrderEvents.ORDER_STATUS_CHANGED)
    HandlerResult changed(OrderEvents.StatusChanged payload, Event event) {
        return OrderEventCheck.check(
                event,
                payload,
                orders,
                order -> notifyUsers(order, payload.oldStatus() + ">" + payload.newStatus(), event),
                payload.oldStatus(),
                payload.newStatus(),
                payload.changedAt());
    }

    private HandlerResult notifyUsers(Order order, String change, Event event) {
        String words = WORDS.get(change);
        if (words == null) {
            return HandlerResult.reject(OrderEventCheck.INVALID);
        }
        OrderStatus reached = OrderStatus.of(change.substring(change.indexOf('>') + 1));
        if (!order.status().hasReached(reached)) {
            return HandlerResult.ignored("ORDER_IS_" + order.status());
        }
        Instant now = clock.instant();
        String content = words.formatted(order.orderNo());
        notifications.insert(order.buyerId(), order.id(), event.eventId(), content, now);
        notifications.insert(order.sellerId(), order.id(), event.eventId(), content, now);
        return HandlerResult.DONE;
    }
}
