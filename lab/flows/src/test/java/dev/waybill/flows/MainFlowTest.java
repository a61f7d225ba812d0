package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.flows.Http.Answer;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The seeds' main flow over HTTP, on MariaDB, Redis and RocketMQ. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
class MainFlowTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static RealStack stack;

    @BeforeAll
    static void services(MariaDb sql, Redis cache, RocketMq broker) {
        stack = RealStack.inThisProcess(sql, cache, broker);
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    @Test
    void anOrderFindsItsStock() {
        long sku = stack.received(10);
        String orderNo = created(order(sku, 3));

        awaitStatus(orderNo, "STOCK_RESERVED");
        awaitShelf(sku, 7, 3);
        assertThat(stack.orders.get("/orders/" + orderNo + "/flow").data())
                .extracting(row -> row.path("toStatus").asString())
                .containsExactly("CREATED", "STOCK_RESERVED");
    }

    @Test
    void anOrderThatAsksForTooMuchSaysWhatIsShort() {
        long sku = stack.received(2);
        String orderNo = created(order(sku, 3));

        awaitStatus(orderNo, "STOCK_FAILED");
        awaitShelf(sku, 2, 0);
        assertThat(stack.shortItems(orderNo))
                .contains("\"skuId\":\"" + sku + "\"", "\"requested\":3", "\"available\":2");
    }

    @Test
    void aCancelGivesTheStockBack() {
        long sku = stack.received(5);
        String orderNo = created(order(sku, 5));
        awaitStatus(orderNo, "STOCK_RESERVED");

        Answer canceled = cancel(orderNo);
        assertThat(canceled.status()).isEqualTo(200);
        assertThat(canceled.data().path("status").asString()).isEqualTo("CANCELED");
        awaitShelf(sku, 5, 0);
        assertThat(cancel(orderNo).data()).isEqualTo(canceled.data());
    }

    @Test
    void aCancelThatIsQuickerThanTheStockGivesItBackToo() {
        long sku = stack.received(5);
        String orderNo = created(order(sku, 5));

        assertThat(cancel(orderNo).data().path("status").asString()).isEqualTo("CANCELED");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(stack.inventory
                                .get("/reservations/" + orderNo)
                                .data()
                                .path("status")
                                .asString(""))
                        .isIn("RELEASED", "CANCELED"));
        awaitShelf(sku, 5, 0);
        awaitStatus(orderNo, "CANCELED");
    }

    @Test
    void whatIsUnknownOrForbiddenSaysSo() {
        assertThat(stack.orders.get("/orders/ORD202601010000000000001").code()).isEqualTo("NOT_FOUND");
        String failed = created(order(stack.received(1), 2));
        awaitStatus(failed, "STOCK_FAILED");
        assertThat(cancel(failed).code()).isEqualTo("STATE_INVALID");
    }

    @Test
    void oneRequestIdIsOneOrderAlsoAHundredTimesAtOnceAndAfterRedisForgot() throws Exception {
        long sku = stack.received(1_000);
        String body = order(sku, 1);
        ExecutorService callers = Executors.newFixedThreadPool(20);
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(CompletableFuture.supplyAsync(
                    () -> {
                        start.countDown();
                        return stack.orders.post("/orders", body);
                    },
                    callers));
        }
        Set<String> numbers = new TreeSet<>();
        for (CompletableFuture<Answer> each : answers) {
            Answer answer = each.get();
            assertThat(answer.code()).isIn("00000", "A0401");
            if (answer.code().equals("00000")) {
                numbers.add(answer.data().path("orderNo").asString());
            }
        }
        callers.shutdown();
        stack.flushRedis();
        numbers.add(created(body));
        assertThat(numbers).hasSize(1);
        awaitShelf(sku, 999, 1);

        String other = body.replace("\"quantity\":1", "\"quantity\":2");
        assertThat(stack.orders.post("/orders", other).code()).isEqualTo("A0402");
        stack.flushRedis();
        assertThat(stack.orders.post("/orders", other).code()).isEqualTo("A0402");
    }

    private static String order(long sku, int quantity) {
        return "{\"clientRequestId\":\"" + UUID.randomUUID() + "\",\"userId\":7,\"items\":[{\"skuId\":" + sku
                + ",\"quantity\":" + quantity + ",\"price\":12.50}]}";
    }

    private static String created(String body) {
        Answer answer = stack.orders.post("/orders", body);
        assertThat(answer.code()).as(answer.text()).isEqualTo("00000");
        return answer.data().path("orderNo").asString();
    }

    private static Answer cancel(String orderNo) {
        return stack.orders.post(
                "/orders/" + orderNo + "/cancel",
                "{}",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
    }

    private static void awaitStatus(String orderNo, String status) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(stack.orders
                                .get("/orders/" + orderNo)
                                .data()
                                .path("status")
                                .asString())
                        .isEqualTo(status));
    }

    private static void awaitShelf(long sku, long available, long reserved) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer shelf = stack.inventory.get("/inventory/1/" + sku);
            assertThat(shelf.data().path("available").asLong()).isEqualTo(available);
            assertThat(shelf.data().path("reserved").asLong()).isEqualTo(reserved);
        });
    }
}
