package dev.waybill.servicetestkit;

import dev.waybill.servers.RocketMq;
import java.util.UUID;

/** RocketMQ's topics between one order service and one inventory service, and their groups, under names that nobody else uses. */
public record OrderFlowTopics(String nameServer, String own) {

    public static OrderFlowTopics create(RocketMq rocketMq) {
        OrderFlowTopics topics = new OrderFlowTopics(
                rocketMq.nameServer(), UUID.randomUUID().toString().substring(0, 8));
        rocketMq.createTopic(topics.orders());
        rocketMq.createTopic(topics.stock());
        return topics;
    }

    public String orders() {
        return "ORDER_TOPIC-" + own;
    }

    public String stock() {
        return "STOCK_TOPIC-" + own;
    }

    /** Adds what the order service needs; its rate limits are raised, for they have tests of their own. */
    public ServiceSettings addToOrderService(ServiceSettings settings) {
        raiseOrderLimits(settings);
        return settings.set("waybill.rocketmq.name-server", nameServer)
                .set("waybill.routes.OrderCreated.topic", orders())
                .set("waybill.routes.OrderCanceled.topic", orders())
                .set("order.stock-topic", stock())
                .set("order.stock-group", "order-service-" + own);
    }

    public static ServiceSettings raiseOrderLimits(ServiceSettings settings) {
        for (String handler : new String[] {"create", "cancel"}) {
            settings.set("waybill.guard.ratelimit.apis[OrderController." + handler + "].rate", 100_000)
                    .set("waybill.guard.ratelimit.apis[OrderController." + handler + "].capacity", 100_000);
        }
        return settings;
    }

    public ServiceSettings addToInventory(ServiceSettings settings) {
        return settings.set("waybill.rocketmq.name-server", nameServer)
                .set("waybill.routes.StockReserved.topic", stock())
                .set("waybill.routes.StockReserveFailed.topic", stock())
                .set("inventory.order-topic", orders())
                .set("inventory.group", "inventory-" + own);
    }
}
