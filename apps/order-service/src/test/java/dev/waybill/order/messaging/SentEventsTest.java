package dev.waybill.order.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.AsyncApiDocument;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.HttpReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What really arrives at RocketMQ is what docs/events/order.asyncapi.yaml says. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SentEventsTest {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final List<MessageExt> arrived = new ArrayList<>();
    private DefaultLitePullConsumer reader;
    private RealOrders real;
    private RunningOrders orders;
    private AsyncApiDocument documented;

    @BeforeAll
    void start(MariaDb mariaDb, Redis redis, RocketMq rocketMq) throws Exception {
        documented = AsyncApiDocument.read("docs/events/order.asyncapi.yaml");
        real = RealOrders.start(mariaDb, redis, rocketMq);
        orders = real.service();
        String topic = orders.setting("waybill.routes.OrderCreated.topic");
        reader = new DefaultLitePullConsumer("reader-of-" + topic);
        reader.setNamesrvAddr(rocketMq.nameServer());
        reader.setInstanceName("reader-of-" + topic);
        // Set before the first pull: a seek afterwards would interrupt a pull, and that closes the channel for both.
        reader.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        reader.start();
        reader.assign(reader.fetchMessageQueues(topic));
    }

    @AfterAll
    void stop() {
        reader.shutdown();
        real.close();
    }

    private MessageExt arrivedFor(String orderNo, String tag) {
        return await().atMost(RealOrders.PATIENCE)
                .until(
                        () -> {
                            arrived.addAll(reader.poll(100));
                            return arrived.stream()
                                    .filter(message -> message.getTags().equals(tag))
                                    .filter(message -> new String(message.getBody(), UTF_8).contains(orderNo))
                                    .toList();
                        },
                        found -> found.size() == 1)
                .get(0);
    }

    @Test
    void whatIsSentIsWhatIsDocumented() {
        HttpReply order =
                orders.post("/orders", RunningOrders.body("sent-" + orders.newOrder(), 10001), "X-Trace-Id", "t-1");
        orders.post(
                "/orders/" + order.orderNo() + "/cancel",
                "",
                "X-Idempotency-Key",
                order.orderNo(),
                "X-Trace-Id",
                "t-2");
        assertDocumented("OrderCreated", order, "t-1");
        assertDocumented("OrderCanceled", order, "t-2");
    }

    private void assertDocumented(String type, HttpReply order, String traceId) {
        String tag = documented.text("orders", type, "x-rocketmq-tag");
        MessageExt message = arrivedFor(order.orderNo(), tag);
        JsonNode body = JSON.readTree(message.getBody());
        assertThat(documented.violations("orders", type, message.getBody())).isEmpty();
        assertThat(body.path("bizKey").asString()).isEqualTo(order.orderNo());
        assertThat(body.path("traceId").asString()).isEqualTo(traceId);
        JsonNode payload = body.path("payload");
        for (String field : List.of("orderNo", "userId", "amount", "items")) {
            assertThat(payload.get(field)).isEqualTo(order.data().get(field));
        }
        assertThat(message.getKeys()).isEqualTo(body.path("eventId").asString());
        assertThat(message.getUserProperty("traceId")).isEqualTo(traceId);
        assertThat(message.getProperties()).containsValue(order.orderNo());
    }

    @Test
    void topicsAndTagsAreTheOnesInTheSettings() {
        assertThat(documented.address("orders")).isEqualTo("ORDER_TOPIC");
        assertThat(documented.text("orders", "OrderCreated", "x-rocketmq-tag"))
                .isEqualTo(orders.setting("waybill.routes.OrderCreated.tag"));
        assertThat(documented.address("stock")).isEqualTo("STOCK_TOPIC");
    }

    @Test
    void whatTheInventorySaysIsDocumentedToo() {
        for (String type : List.of("StockReserved", "StockReserveFailed")) {
            Event event =
                    RealOrders.stockEvent(type, "{\"orderNo\":\"ORD202401151030451234567\",\"items\":[]}").toBuilder()
                            .aggregate("Reservation", "ORD202401151030451234567")
                            .bizKey("ORD202401151030451234567")
                            .build();
            assertThat(documented.violations("stock", type, Envelope.encode(event, BodyFormat.ENVELOPE)))
                    .isEmpty();
        }
    }

    @Test
    void aMessageThatContradictsTheDocumentIsFound() {
        String odd = "{\"eventId\":\"x\",\"eventType\":\"OrderPaid\",\"more\":1,"
                + "\"payload\":{\"orderNo\":\"ORD1\",\"amount\":\"1\",\"items\":[{\"quantity\":0}]}}";
        assertThat(documented.violations("orders", "OrderCreated", odd.getBytes(UTF_8)))
                .contains(
                        ": required property 'traceId' not found",
                        ": property 'more' is not defined in the schema and the schema does not allow additional properties",
                        "/eventType: must be the constant value 'OrderCreated'",
                        "/payload: required property 'userId' not found",
                        "/payload/amount: string found, number expected",
                        "/payload/items/0/quantity: must have a minimum value of 1");
    }

    @Test
    void everySentEventIsLoggedAtInfoUnderItsTrace() {
        try (CapturedLog log = new CapturedLog()) {
            HttpReply order = orders.post(
                    "/orders", RunningOrders.body("logged-" + orders.newOrder(), 10001), "X-Trace-Id", "t-log");
            await().atMost(RealOrders.PATIENCE)
                    .untilAsserted(() -> assertThat(log.lines())
                            .anyMatch(line ->
                                    line.startsWith("INFO [t-log] [OutboxRelay] Event sent successfully eventId=")
                                            && line.contains("traceId=t-log")
                                            && line.contains("bizKey=" + order.orderNo())));
        }
        assertThat(orders.rows("SELECT status FROM t_outbox_event WHERE trace_id = 't-log' AND sent_at IS NOT NULL"))
                .containsExactly(Map.of("status", "SENT"));
    }
}
