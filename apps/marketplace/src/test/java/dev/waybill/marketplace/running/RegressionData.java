package dev.waybill.marketplace.running;

import dev.waybill.message.Event;
import dev.waybill.servicetestkit.HttpReply;

/**
 * The frozen scope's fixed regression data: one pending order, for time-outs and payments; one that is created and paid, for
 * fulfilment; and one event that arrives twice under the same id.
 *
 * @param repeated says that the order {@code shipped} was shipped
 */
public record RegressionData(HttpReply pending, HttpReply paid, HttpReply shipped, Event repeated) {

    public static RegressionData in(RunningMarket market) {
        HttpReply pending = market.newOrder();
        HttpReply paid = market.newOrder();
        market.move(paid.id(), "pay");
        HttpReply shipped = market.newOrder();
        market.move(shipped.id(), "pay");
        market.move(shipped.id(), "ship");
        return new RegressionData(pending, paid, shipped, shippedEvent(shipped));
    }

    private static Event shippedEvent(HttpReply order) {
        return Event.builder("ORDER_STATUS_CHANGED")
                .aggregate("Order", String.valueOf(order.id()))
                .traceId("twice")
                .payload("""
                        {"orderId":%d,"orderNo":"%s","oldStatus":"paid","newStatus":"shipped","changedAt":"2026-02-04T10:30:00Z"}""".formatted(order.id(), order.text("orderNo")))
                .build();
    }
}
