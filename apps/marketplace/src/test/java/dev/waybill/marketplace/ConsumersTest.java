package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Messages that cannot be handled, now or ever, on real servers. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsumersTest {

    private static final String LETTERS = "/waybill/api/dead-letters/";

    private RealMarket real;
    private RunningMarket market;
    private HttpReply order;

    @BeforeAll
    void start(MariaDb mariaDb, RabbitMq rabbitMq) throws Exception {
        real = RealMarket.start(mariaDb, rabbitMq, "waybill.inbox.retry-delays=100ms,100ms,100ms");
        market = real.service();
        order = market.newOrder();
    }

    @AfterAll
    void stop() throws IOException {
        real.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(RunningMarket.PATIENCE);
    }

    static Stream<Arguments> hopeless() {
        String created = "\"orderNo\":\"NO\",\"buyerId\":1,\"sellerId\":2,\"productId\":3,\"quantity\":1,\"price\":1";
        return Stream.of(
                Arguments.of("order.created", "ORDER_VANISHED", "1", "{}", "事件类型不支持"),
                Arguments.of("order.created", "ORDER_PAID", "1", "{}", "事件类型不支持"),
                Arguments.of("order.created", "ORDER_CREATED", "ID", "{\"orderId\":ID}", "事件数据缺失"),
                Arguments.of(
                        "order.created",
                        "ORDER_CREATED",
                        "ID",
                        "{\"orderId\":ID," + created.replace("\"productId\":3,", "") + "}",
                        "事件数据缺失"),
                Arguments.of("order.created", "ORDER_CREATED", "ID", "{\"orderId\":ID," + created + "}", "事件数据不合法"),
                Arguments.of(
                        "order.created", "ORDER_CREATED", "987654", "{\"orderId\":987654," + created + "}", "订单不存在"),
                Arguments.of("order.created", "ORDER_CREATED", "4711", "{\"orderId\":ID," + created + "}", "事件数据不合法"),
                Arguments.of("order.created", "ORDER_CREATED", "ID", "null", ""),
                Arguments.of("order.created", "ORDER_CREATED", "ID", "{\"orderId\":\"' OR 1=1 --\"}", ""),
                Arguments.of(
                        "order.paid", "ORDER_PAID", "ID", "{\"orderId\":ID,\"orderNo\":\"NO\",\"amount\":1}", "事件数据缺失"),
                Arguments.of(
                        "order.paid",
                        "ORDER_PAID",
                        "987654",
                        "{\"orderId\":987654,\"orderNo\":\"NO\",\"payTime\":\"2026-02-04T10:30:00Z\",\"amount\":1}",
                        "订单不存在"),
                Arguments.of(
                        "order.status.changed",
                        "ORDER_STATUS_CHANGED",
                        "ID",
                        "{\"orderId\":ID,\"orderNo\":\"NO\",\"oldStatus\":\"pending\",\"newStatus\":\"paid\",\"changedAt\":\"2026-02-04T10:30:00Z\"}",
                        "事件数据不合法"),
                Arguments.of(
                        "order.timeout",
                        "ORDER_TIMEOUT",
                        "ID",
                        "{\"orderId\":ID,\"orderNo\":\"202602041030001234\",\"createTime\":\"2026-02-04T10:30:00Z\"}",
                        "事件数据不合法"),
                Arguments.of(
                        "order.timeout",
                        "ORDER_TIMEOUT",
                        "ID",
                        "{\"orderId\":ID,\"orderNo\":\"NO\",\"createTime\":\"yesterday\"}",
                        ""));
    }

    @ParameterizedTest
    @MethodSource("hopeless")
    void whatCanNeverBeHandledIsADeadLetterAtOnce(
            String routingKey, String type, String aggregateId, String payload, String error) throws IOException {
        String eventId = UUID.randomUUID().toString();
        String body = """
                {"eventId":"%s","eventType":"%s","aggregateType":"Order","aggregateId":%s,"occurredAt":"2026-02-04T10:30:00Z","traceId":"trace-1","payload":%s}""".formatted(eventId, type, aggregateId, payload)
                .replace("ID,", order.id() + ",")
                .replace("ID}", order.id() + "}")
                .replace("\"NO\"", "\"" + order.text("orderNo") + "\"");
        real.publish(routingKey, eventId, body);
        assertDeadLetterAtOnce(eventId, error);
        assertThat(market.consumed(eventId)).isFalse();
        assertThat(market.statusOf(order.id())).isEqualTo("pending");
    }

    @ParameterizedTest
    @MethodSource("broken")
    void whatIsNoEventIsADeadLetterAtOnce(String body) throws IOException {
        String messageId = UUID.randomUUID().toString();
        real.publish("order.paid", messageId, body);
        soon().until(() -> market.count(
                        "SELECT COUNT(*) FROM waybill_dead_letter WHERE message_id = ? AND state = 'OPEN'", messageId)
                == 1);
    }

    static Stream<String> broken() {
        return Stream.of("", "not json", "[]", "{\"eventId\":\"a\"}", "{\"eventType\":\"ORDER_PAID\",\"payload\":{}}");
    }

    private void assertDeadLetterAtOnce(String eventId, String error) {
        soon().until(() -> market.count("SELECT COUNT(*) FROM waybill_dead_letter WHERE message_id = ?", eventId) == 1);
        HttpReply letter = market.get(LETTERS + letterOf(eventId));
        assertThat(letter.data().path("letter").path("error").asString()).contains(error);
        assertThat(letter.data().path("headers").toString()).contains("\"x-waybill-attempt\":\"1\"");
        assertThat(letter.data().path("body").path("content").asString()).contains(eventId);
    }

    private long letterOf(String messageId) {
        return market.count("SELECT MAX(id) FROM waybill_dead_letter WHERE message_id = ?", messageId);
    }

    @Test
    void whatMayWorkLaterIsRetriedThenDeadLetteredAndReplayedToSuccess() {
        List<Long> orders =
                Stream.generate(() -> market.newOrder().id()).limit(3).toList();
        market.update("RENAME TABLE fulfillments TO fulfillments_away");
        orders.forEach(id -> market.move(id, "pay"));
        List<String> events =
                orders.stream().map(id -> market.eventId(id, "ORDER_PAID")).toList();
        soon().until(() -> events.stream()
                .allMatch(event ->
                        market.count("SELECT COUNT(*) FROM waybill_dead_letter WHERE event_id = ?", event) == 1));
        market.update("RENAME TABLE fulfillments_away TO fulfillments");
        JsonNode headers = market.get(LETTERS + letterOf(events.get(0))).data().path("headers");
        assertThat(headers.toString()).contains("\"x-waybill-attempt\":\"4\"");

        assertThat(market.post("/dead-letters/" + letterOf(events.get(0)) + "/replay")
                        .text("state"))
                .isEqualTo("REPLAYED");
        HttpReply many = market.post(
                LETTERS + "replay",
                "{\"choice\":{\"ids\":[" + letterOf(events.get(1)) + "," + letterOf(events.get(2))
                        + "]},\"reason\":\"the table is back\"}");
        assertThat(many.status()).isEqualTo(202);
        soon().until(() -> orders.stream()
                .allMatch(id -> market.get("/orders/" + id + "/fulfillment").status() == 200));
        assertThat(market.post("/dead-letters/" + letterOf(events.get(0)) + "/replay")
                        .status())
                .isEqualTo(409);
        assertThat(market.count("SELECT COUNT(*) FROM waybill_audit WHERE event_id = ?", events.get(0)))
                .isEqualTo(1);
    }

    @Test
    void anAlertIsRaisedOnceHoweverManyDeadLettersThereAre() throws IOException {
        deadLetter("first");
        soon().until(() -> real.raised("dead-letters") > 0);
        deadLetter("second");
        deadLetter("third");
        soon().until(() -> real.raised("dead-letters") == 1 + real.cleared("dead-letters"));
    }

    private void deadLetter(String body) throws IOException {
        String messageId = UUID.randomUUID().toString();
        real.publish("order.timeout", messageId, body);
        soon().until(() ->
                market.count("SELECT COUNT(*) FROM waybill_dead_letter WHERE message_id = ?", messageId) == 1);
    }

    /** The event is this service's own and committed with its order, so the order is there, only not to be seen yet. */
    @Test
    void anOrderThatIsMissingThoughItsEventIsOursIsWaitedFor() throws IOException {
        HttpReply paid = market.newOrder();
        market.move(paid.id(), "pay");
        String ours = market.eventId(paid.id(), "ORDER_PAID");
        soon().until(() -> market.consumed(ours));
        market.update("DELETE FROM fulfillments WHERE order_id = ?", paid.id());
        market.update("DELETE FROM event_consume_log WHERE event_id = ?", ours);
        market.update("UPDATE orders SET id = id + 1000000 WHERE id = ?", paid.id());
        real.publish("order.paid", ours, """
                {"eventId":"%s","eventType":"ORDER_PAID","aggregateType":"Order","aggregateId":%d,"occurredAt":"2026-02-04T10:30:00Z","traceId":"t","payload":{"orderId":%d,"orderNo":"%s","payTime":"2026-02-04T10:30:00Z","amount":88.50}}""".formatted(ours, paid.id(), paid.id(), paid.text("orderNo")));
        soon().until(() -> market.count("SELECT COUNT(*) FROM waybill_dead_letter WHERE message_id = ?", ours) == 1);
        HttpReply letter = market.get(LETTERS + letterOf(ours));
        assertThat(letter.data().path("headers").toString()).contains("\"x-waybill-attempt\":\"4\"");
        assertThat(letter.data().path("letter").path("error").asString()).contains("订单不存在");
        market.update("UPDATE orders SET id = id - 1000000 WHERE id = ?", paid.id() + 1_000_000);
        assertThat(market.post("/dead-letters/" + letterOf(ours) + "/replay").status())
                .isEqualTo(200);
        soon().until(() -> market.get("/orders/" + paid.id() + "/fulfillment")
                .text("status")
                .equals("started"));
    }

    @Test
    void anEventThatComesTooLateForItsOrderIsIgnored() throws IOException {
        HttpReply shipped = market.newOrder();
        String eventId = UUID.randomUUID().toString();
        real.publish(
                "order.paid", eventId, """
                {"eventId":"%s","eventType":"ORDER_PAID","aggregateType":"Order","aggregateId":%d,"occurredAt":"2026-02-04T10:30:00Z","traceId":"t","payload":{"orderId":%d,"orderNo":"%s","payTime":"2026-02-04T10:30:00Z","amount":88.50}}""".formatted(eventId, shipped.id(), shipped.id(), shipped.text("orderNo")));
        soon().until(() -> market.consumed(eventId));
        assertThat(market.get("/orders/" + shipped.id() + "/fulfillment").status())
                .isEqualTo(404);
    }
}
