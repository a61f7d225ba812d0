package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.GetResponse;
import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.RegressionData;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.message.Event;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.HttpReply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/**
 * The acceptance list of the frozen scope, line by line, on real RabbitMQ and MariaDB. Its data are the scope's
 * fixed {@link RegressionData}.
 */
@Servers({Server.MARIADB, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AcceptanceTest {

    private RabbitMq server;
    private RealMarket real;
    private RunningMarket market;
    private RegressionData fixed;
    private HttpReply pending;
    private HttpReply paid;

    @BeforeAll
    void start(MariaDb mariaDb, RabbitMq rabbitMq) throws Exception {
        server = rabbitMq;
        real = RealMarket.start(
                mariaDb,
                rabbitMq,
                "waybill.retry.schedule=1s,1s,1s",
                "waybill.relay.poll-interval=200ms",
                "waybill.inbox.retry-delays=100ms,100ms,100ms");
        market = real.service();
        fixed = RegressionData.in(market);
        pending = fixed.pending();
        paid = fixed.paid();
        soon().untilAsserted(
                        () -> assertThat(market.outbox(paid.id(), "ORDER_PAID")).isEqualTo("SENT"));
    }

    @AfterAll
    void stop() throws IOException {
        real.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(RunningMarket.PATIENCE);
    }

    @Test
    void line_16_1_1_theBrokerAnswersOnItsPortsAndExchangeAndQueuesAreThere() {
        assertThat(market.setting("spring.rabbitmq.port")).isEqualTo(String.valueOf(server.port()));
        assertThat(server.answers()).isTrue();
        assertThat(names(real.rabbit().resources("exchanges"))).contains("order.events.exchange");
        assertThat(names(real.rabbit().resources("queues")))
                .contains(
                        "order.timeout.queue",
                        "order.timeout.delay.queue",
                        "inventory.update.queue",
                        "order.fulfillment.queue",
                        "order.status.sync.queue",
                        "order.dlq.queue");
    }

    private static List<String> names(JsonNode resources) {
        return resources.valueStream().map(each -> each.path("name").asString()).toList();
    }

    @Test
    void line_16_1_2_anOrderIsWrittenToTheOutboxAndItsOrderCreatedIsSent() {
        HttpReply order = market.newOrder();
        assertThat(market.count("SELECT COUNT(*) FROM outbox_events WHERE aggregate_id = ?", order.id()))
                .isEqualTo(2);
        soon().untilAsserted(() -> {
            assertThat(market.outbox(order.id(), "ORDER_CREATED")).isEqualTo("SENT");
            assertThat(market.outbox(order.id(), "ORDER_TIMEOUT")).isEqualTo("SENT");
        });
    }

    @Test
    void line_16_1_3_theInventoryConsumerHandlesIt() {
        long product = pending.data().path("productId").asLong();
        soon().untilAsserted(() -> {
            assertThat(market.consumed(market.eventId(pending.id(), "ORDER_CREATED")))
                    .isTrue();
            assertThat(market.get("/products/" + product + "/inventory").text("status"))
                    .isEqualTo("sold");
        });
    }

    @Test
    void line_16_2_1_aPaymentStartsTheFulfilment() {
        soon().untilAsserted(() -> assertThat(
                        market.get("/orders/" + paid.id() + "/fulfillment").text("status"))
                .isEqualTo("started"));
    }

    @Test
    void line_16_2_2_aChangedStatusIsToldToBuyerAndSeller() {
        HttpReply order = market.newOrder();
        for (String step : List.of("pay", "ship", "complete")) {
            assertThat(market.move(order.id(), step).code()).isEqualTo("00000");
        }
        long buyer = order.data().path("buyerId").asLong();
        soon().untilAsserted(() -> assertThat(market.get("/users/" + buyer + "/notifications")
                        .data()
                        .valueStream()
                        .map(note -> note.path("content").asString()))
                .containsExactlyInAnyOrder(
                        "订单 " + order.text("orderNo") + " 已完成", "订单 " + order.text("orderNo") + " 已发货"));
        assertThat(market.count("SELECT COUNT(*) FROM notifications WHERE order_id = ?", order.id()))
                .isEqualTo(4);
    }

    @Test
    void line_16_2_3_theTimeoutsMessageCancelsTheOrder() throws IOException {
        HttpReply order = market.newOrder();
        soon().untilAsserted(() ->
                assertThat(market.outbox(order.id(), "ORDER_TIMEOUT")).isEqualTo("SENT"));
        market.update("UPDATE orders SET create_time = create_time - INTERVAL 16 MINUTE WHERE id = ?", order.id());
        expire(order.text("orderNo"));
        soon().untilAsserted(() -> assertThat(market.statusOf(order.id())).isEqualTo("cancelled"));
        HttpReply closed = market.get("/orders/" + order.id());
        assertThat(closed.text("cancelReason")).isEqualTo("timeout");
        assertThat(market.productStatus(order.data().path("productId").asLong()))
                .isEqualTo("on_sale");
    }

    /** Dead-letters one message of the delay queue now, as the broker does after 15 minutes. */
    private void expire(String orderNo) throws IOException {
        var channel = real.rabbit().channel();
        List<Long> others = new ArrayList<>();
        boolean found = false;
        for (GetResponse got = get(); got != null && !found; got = found ? null : get()) {
            found = new String(got.getBody(), StandardCharsets.UTF_8).contains(orderNo);
            if (found) {
                channel.basicNack(got.getEnvelope().getDeliveryTag(), false, false);
            } else {
                others.add(got.getEnvelope().getDeliveryTag());
            }
        }
        for (long other : others) {
            channel.basicNack(other, false, true);
        }
        assertThat(found).isTrue();
    }

    private GetResponse get() throws IOException {
        return real.rabbit().channel().basicGet("order.timeout.delay.queue", false);
    }

    @Test
    void line_16_3_1_aFailedTransactionSendsNothing() {
        long product = market.newProduct();
        long before = market.count("SELECT COUNT(*) FROM outbox_events");
        market.update("RENAME TABLE buyer_credit TO buyer_credit_away");
        try {
            assertThat(market.order(RunningMarket.newBuyer(), product).status()).isEqualTo(500);
        } finally {
            market.update("RENAME TABLE buyer_credit_away TO buyer_credit");
        }
        assertThat(market.count("SELECT COUNT(*) FROM outbox_events")).isEqualTo(before);
        assertThat(market.count("SELECT COUNT(*) FROM orders WHERE product_id = ?", product))
                .isZero();
        assertThat(market.productStatus(product)).isEqualTo("on_sale");
    }

    @Test
    void line_16_3_2_aCommittedTransactionAlwaysHasItsOutboxRow() {
        HttpReply order = market.newOrder();
        market.move(order.id(), "pay");
        market.move(order.id(), "ship");
        market.move(order.id(), "complete");
        assertThat(market.rows("SELECT event_type FROM outbox_events WHERE aggregate_id = ?", order.id()))
                .extracting(row -> row.get("event_type"))
                .containsExactlyInAnyOrder(
                        "ORDER_CREATED", "ORDER_TIMEOUT", "ORDER_PAID", "ORDER_STATUS_CHANGED", "ORDER_STATUS_CHANGED");
    }

    @Test
    void line_16_3_3_aFailedSendIsRetriedAndFailsForGoodInTheEnd() throws IOException {
        real.rabbit().channel().queueUnbind("order.fulfillment.queue", "order.events.exchange", "order.paid");
        HttpReply order = market.newOrder();
        try {
            market.move(order.id(), "pay");
            soon().untilAsserted(() ->
                    assertThat(market.outbox(order.id(), "ORDER_PAID")).isEqualTo("FAILED"));
        } finally {
            real.rabbit().channel().queueBind("order.fulfillment.queue", "order.events.exchange", "order.paid");
        }
        assertThat(market.count(
                        "SELECT retry_count FROM outbox_events WHERE aggregate_id = ? AND event_type = 'ORDER_PAID'",
                        order.id()))
                .isEqualTo(4);
    }

    @Test
    void line_16_4_1_aRepeatedMessageIsNotHandledTwice() throws IOException {
        Event twice = fixed.repeated();
        try (CapturedLog log = new CapturedLog()) {
            real.publish("order.status.changed", twice);
            soon().until(() -> market.consumed(twice.eventId()));
            real.publish("order.status.changed", twice);
            soon().until(() -> log.lines().stream()
                    .anyMatch(line -> line.contains("事件已处理，忽略重复消息") && line.contains(twice.eventId())));
        }
        assertThat(market.count("SELECT COUNT(*) FROM notifications WHERE event_id = ?", twice.eventId()))
                .isEqualTo(2);
        assertThat(market.count("SELECT COUNT(*) FROM event_consume_log WHERE event_id = ?", twice.eventId()))
                .isEqualTo(1);
    }

    @Test
    void line_16_4_2_aMessageThatFailsEndsInTheDeadLetterQueue() throws IOException {
        Event lost = Event.builder("ORDER_TIMEOUT")
                .aggregate("Order", "987654321")
                .payload(
                        "{\"orderId\":987654321,\"orderNo\":\"202602041030001234\",\"createTime\":\"2026-02-04T10:30:00Z\"}")
                .build();
        real.publish("order.timeout", lost);
        soon().untilAsserted(() ->
                assertThat(letterOf(lost.eventId()).path("error").asString()).contains("订单不存在"));
        assertThat(letterOf(lost.eventId()).path("queue").asString()).isEqualTo("order.timeout.queue");
    }

    private JsonNode letterOf(String eventId) {
        return market.get("/dead-letters?size=500")
                .data()
                .path("letters")
                .valueStream()
                .filter(letter -> letter.path("eventId").asString("").equals(eventId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no letter of " + eventId));
    }

    @Test
    void line_16_4_3_aDeadLetterIsReplayedByHandAndRaisesAnAlert() throws IOException {
        HttpReply order = market.newOrder();
        Event orphan = Event.builder("ORDER_TIMEOUT")
                .aggregate("Order", "777777")
                .payload("{\"orderId\":777777,\"orderNo\":\"%s\",\"createTime\":\"2026-02-04T10:30:00Z\"}"
                        .formatted(order.text("orderNo")))
                .build();
        real.publish("order.timeout", orphan);
        soon().untilAsserted(() -> assertThat(letterOf(orphan.eventId())).isNotNull());
        soon().untilAsserted(() -> assertThat(real.alerts()).anyMatch(alert -> alert.startsWith("dead-letters")));
        market.update("UPDATE orders SET id = 777777 WHERE id = ?", order.id());
        HttpReply replayed = market.post(
                "/dead-letters/" + letterOf(orphan.eventId()).path("id").asLong() + "/replay");
        assertThat(replayed.text("state")).isEqualTo("REPLAYED");
        soon().until(() -> market.consumed(orphan.eventId()));
    }
}
