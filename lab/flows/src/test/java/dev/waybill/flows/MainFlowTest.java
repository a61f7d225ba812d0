package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.TraceId;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.otlp.OtlpReceiver;
import dev.waybill.servicetestkit.otlp.OtlpSpan;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The seeds' main flow over HTTP, on MariaDB, Redis and RocketMQ. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
class MainFlowTest {

    private static OtlpReceiver collector;
    private static RealStack stack;
    private static OrderFlowClient client;

    @BeforeAll
    static void services(MariaDb sql, Redis cache, RocketMq broker) throws IOException {
        collector = OtlpReceiver.open();
        stack = RealStack.inThisProcess(sql, cache, broker, collector.settings());
        client = new OrderFlowClient(stack);
    }

    @AfterAll
    static void stop() {
        stack.close();
        collector.close();
    }

    @Test
    void anOrderFindsItsStock() {
        long sku = stack.received(10);
        String orderNo = client.order(OrderFlowClient.basket(sku, 3));

        client.awaitStatus(orderNo, "STOCK_RESERVED");
        client.awaitStock(sku, 7, 3);
        assertThat(stack.orders.get("/orders/" + orderNo + "/flow").data())
                .extracting(row -> row.path("toStatus").asString())
                .containsExactly("CREATED", "STOCK_RESERVED");
    }

    @Test
    void anOrdersWayThroughBothServicesIsOneTraceFromTheRequestOn() {
        String notSampled = TraceId.next();
        String untraced = client.order(
                OrderFlowClient.basket(stack.received(10), 3),
                "traceparent",
                "00-" + notSampled + "-b7ad6b7169203331-00");
        client.awaitStatus(untraced, "STOCK_RESERVED");
        String traceId = TraceId.next();
        String orderNo = client.order(
                OrderFlowClient.basket(stack.received(10), 3),
                "X-Trace-Id",
                traceId,
                "tracestate",
                "=,;" + "x".repeat(1_000),
                "baggage",
                "event_id=stolen;%%%,traceparent=00-zz,userId=1" + ",k=v".repeat(300));
        client.awaitStatus(orderNo, "STOCK_RESERVED");

        await().atMost(OrderFlowClient.PATIENCE)
                .untilAsserted(() -> assertThat(collector.trace(traceId))
                        .filteredOn(span -> span.name().startsWith("process STOCK_TOPIC"))
                        .singleElement()
                        .extracting(collector::wayTo, InstanceOfAssertFactories.list(OtlpSpan.class))
                        .extracting(span -> span.service() + ": " + span.name().replaceFirst("TOPIC-.*", "TOPIC"))
                        .containsExactly(
                                "order-service: http post /orders",
                                "order-service: secured request", // Spring Security's own
                                "order-service: publish OrderCreated",
                                "order-service: send ORDER_TOPIC",
                                "inventory-service: process ORDER_TOPIC",
                                "inventory-service: publish StockReserved",
                                "inventory-service: send STOCK_TOPIC",
                                "order-service: process STOCK_TOPIC"));
        assertThat(stack.countOrders("SELECT COUNT(*) FROM t_outbox_event WHERE payload_json LIKE '%stolen%'"))
                .isZero();
        assertThat(collector.trace(notSampled)).isEmpty();
    }

    @Test
    void anOrderThatAsksForTooMuchSaysWhatIsShort() {
        long sku = stack.received(2);
        String orderNo = client.order(OrderFlowClient.basket(sku, 3));

        client.awaitStatus(orderNo, "STOCK_FAILED");
        client.awaitStock(sku, 2, 0);
        assertThat(stack.shortItems(orderNo))
                .contains("\"skuId\":\"" + sku + "\"", "\"requested\":3", "\"available\":2");
    }

    @Test
    void aCancelGivesTheStockBack() {
        long sku = stack.received(5);
        String orderNo = client.order(OrderFlowClient.basket(sku, 5));
        client.awaitStatus(orderNo, "STOCK_RESERVED");

        HttpReply canceled = client.cancel(orderNo);
        assertThat(canceled.status()).isEqualTo(200);
        assertThat(canceled.dataStatus()).isEqualTo("CANCELED");
        client.awaitStock(sku, 5, 0);
        assertThat(client.cancel(orderNo).data()).isEqualTo(canceled.data());
    }

    @Test
    void aCancelThatIsQuickerThanTheStockGivesItBackToo() {
        long sku = stack.received(5);
        String orderNo = client.order(OrderFlowClient.basket(sku, 5));

        assertThat(client.cancel(orderNo).dataStatus()).isEqualTo("CANCELED");
        await().atMost(OrderFlowClient.PATIENCE)
                .untilAsserted(() -> assertThat(client.reservation(orderNo)).isIn("RELEASED", "CANCELED"));
        client.awaitStock(sku, 5, 0);
        client.awaitStatus(orderNo, "CANCELED");
    }

    /** The inventory is stopped, so the order is cancelled while it is still in the state CREATED. */
    @Test
    void aCancelFromCreatedLeavesNothingReservedWhenTheInventoryHearsOfBoth() {
        long sku = stack.received(5);
        stack.stopInventory();
        String orderNo;
        try {
            orderNo = client.order(OrderFlowClient.basket(sku, 5));
            assertThat(client.cancel(orderNo).dataStatus()).isEqualTo("CANCELED");
        } finally {
            stack.startInventory();
        }

        await().atMost(OrderFlowClient.PATIENCE)
                .untilAsserted(() -> assertThat(client.reservation(orderNo)).isIn("RELEASED", "CANCELED"));
        client.awaitStock(sku, 5, 0);
        client.awaitGateAgrees(sku, 5);
        String next = client.order(
                OrderFlowClient.basket(sku, 5)); // its answer comes after the inventory's answer to the first one
        client.awaitStatus(next, "STOCK_RESERVED");
        assertThat(client.status(orderNo)).isEqualTo("CANCELED");
        assertThat(stack.orders.get("/orders/" + orderNo + "/flow").data())
                .filteredOn(row -> row.path("ignoredReason").asString("").isEmpty())
                .extracting(
                        row -> row.path("fromStatus").asString(""),
                        row -> row.path("toStatus").asString())
                .containsExactly(tuple("", "CREATED"), tuple("CREATED", "CANCELED"));
    }

    @Test
    void whatIsUnknownOrForbiddenSaysSo() {
        assertThat(stack.orders.get("/orders/ORD202601010000000000001").code()).isEqualTo("NOT_FOUND");
        String failed = client.order(OrderFlowClient.basket(stack.received(1), 2));
        client.awaitStatus(failed, "STOCK_FAILED");
        assertThat(client.cancel(failed).code()).isEqualTo("STATE_INVALID");
    }

    @Test
    void oneRequestIdIsOneOrderAlsoAHundredTimesAtOnceAndAfterRedisForgot() {
        long sku = stack.received(1_000);
        String body = OrderFlowClient.basket(sku, 1);
        Set<String> numbers = new TreeSet<>();
        for (HttpReply reply : ConcurrentCalls.run(100, 20, i -> stack.orders.post("/orders", body))) {
            assertThat(reply.code()).isIn("00000", "A0401");
            if (reply.code().equals("00000")) {
                numbers.add(reply.orderNo());
            }
        }
        stack.flushRedis();
        numbers.add(client.order(body));
        assertThat(numbers).hasSize(1);
        client.awaitStock(sku, 999, 1);

        String other = body.replace("\"quantity\":1", "\"quantity\":2");
        assertThat(stack.orders.post("/orders", other).code()).isEqualTo("A0402");
        stack.flushRedis();
        assertThat(stack.orders.post("/orders", other).code()).isEqualTo("A0402");
    }
}
