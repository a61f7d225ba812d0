package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.waybill.flows.Http.Answer;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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

    private static RealStack stack;
    private static Shopper shopper;

    @BeforeAll
    static void services(MariaDb sql, Redis cache, RocketMq broker) {
        stack = RealStack.inThisProcess(sql, cache, broker);
        shopper = new Shopper(stack);
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    @Test
    void anOrderFindsItsStock() {
        long sku = stack.received(10);
        String orderNo = shopper.order(Shopper.basket(sku, 3));

        shopper.awaitStatus(orderNo, "STOCK_RESERVED");
        shopper.awaitShelf(sku, 7, 3);
        assertThat(stack.orders.get("/orders/" + orderNo + "/flow").data())
                .extracting(row -> row.path("toStatus").asString())
                .containsExactly("CREATED", "STOCK_RESERVED");
    }

    @Test
    void anOrderThatAsksForTooMuchSaysWhatIsShort() {
        long sku = stack.received(2);
        String orderNo = shopper.order(Shopper.basket(sku, 3));

        shopper.awaitStatus(orderNo, "STOCK_FAILED");
        shopper.awaitShelf(sku, 2, 0);
        assertThat(stack.shortItems(orderNo))
                .contains("\"skuId\":\"" + sku + "\"", "\"requested\":3", "\"available\":2");
    }

    @Test
    void aCancelGivesTheStockBack() {
        long sku = stack.received(5);
        String orderNo = shopper.order(Shopper.basket(sku, 5));
        shopper.awaitStatus(orderNo, "STOCK_RESERVED");

        Answer canceled = shopper.cancel(orderNo);
        assertThat(canceled.status()).isEqualTo(200);
        assertThat(canceled.data().path("status").asString()).isEqualTo("CANCELED");
        shopper.awaitShelf(sku, 5, 0);
        assertThat(shopper.cancel(orderNo).data()).isEqualTo(canceled.data());
    }

    @Test
    void aCancelThatIsQuickerThanTheStockGivesItBackToo() {
        long sku = stack.received(5);
        String orderNo = shopper.order(Shopper.basket(sku, 5));

        assertThat(shopper.cancel(orderNo).data().path("status").asString()).isEqualTo("CANCELED");
        await().atMost(Shopper.PATIENCE)
                .untilAsserted(() -> assertThat(shopper.reservation(orderNo)).isIn("RELEASED", "CANCELED"));
        shopper.awaitShelf(sku, 5, 0);
        shopper.awaitStatus(orderNo, "CANCELED");
    }

    /** Nobody reserves meanwhile, so that the order is sure to be cancelled as it was created. */
    @Test
    void aCancelFromCreatedLeavesNothingReservedWhenTheInventoryHearsOfBoth() {
        long sku = stack.received(5);
        stack.stopInventory();
        String orderNo;
        try {
            orderNo = shopper.order(Shopper.basket(sku, 5));
            assertThat(shopper.cancel(orderNo).data().path("status").asString()).isEqualTo("CANCELED");
        } finally {
            stack.startInventory();
        }

        await().atMost(Shopper.PATIENCE)
                .untilAsserted(() -> assertThat(shopper.reservation(orderNo)).isIn("RELEASED", "CANCELED"));
        shopper.awaitShelf(sku, 5, 0);
        shopper.awaitGateAgrees(sku, 5);
        String next = shopper.order(Shopper.basket(sku, 5)); // sees what the inventory told about the first one, too
        shopper.awaitStatus(next, "STOCK_RESERVED");
        assertThat(shopper.status(orderNo)).isEqualTo("CANCELED");
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
        String failed = shopper.order(Shopper.basket(stack.received(1), 2));
        shopper.awaitStatus(failed, "STOCK_FAILED");
        assertThat(shopper.cancel(failed).code()).isEqualTo("STATE_INVALID");
    }

    @Test
    void oneRequestIdIsOneOrderAlsoAHundredTimesAtOnceAndAfterRedisForgot() throws Exception {
        long sku = stack.received(1_000);
        String body = Shopper.basket(sku, 1);
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
        numbers.add(shopper.order(body));
        assertThat(numbers).hasSize(1);
        shopper.awaitShelf(sku, 999, 1);

        String other = body.replace("\"quantity\":1", "\"quantity\":2");
        assertThat(stack.orders.post("/orders", other).code()).isEqualTo("A0402");
        stack.flushRedis();
        assertThat(stack.orders.post("/orders", other).code()).isEqualTo("A0402");
    }
}
