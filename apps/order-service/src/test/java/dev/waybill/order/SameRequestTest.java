package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The same clientRequestId is the same order: Redis says so, and without it the database does. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SameRequestTest {

    private static final long USER = 10001;
    private static final String OTHER_ITEMS = "{\"skuId\":1001,\"quantity\":3,\"price\":9.99}";

    private RealOrders real;
    private RunningOrders orders;

    @BeforeAll
    void start(MariaDb mariaDb, Redis redis, RocketMq rocketMq) {
        real = RealOrders.start(mariaDb, redis, rocketMq);
        orders = real.service();
    }

    @AfterAll
    void stop() {
        real.close();
    }

    private static String newRequest() {
        return UUID.randomUUID().toString();
    }

    private long ordersOf(String clientRequestId) {
        return orders.count("SELECT COUNT(*) FROM t_order WHERE client_request_id = ?", clientRequestId);
    }

    @Test
    void oneAfterTheOtherIsOneOrderUnderTheFrozenKey() {
        String request = newRequest();
        HttpReply first = orders.create(request, USER);
        HttpReply second = orders.create(request, USER);
        assertThat(second.data()).isEqualTo(first.data());
        assertThat(second.body().path("traceId")).isNotEqualTo(first.body().path("traceId"));
        assertThat(real.redis().get("idempotent:order:create:" + request))
                .contains("\"key\":\"order:create:" + request + "\"")
                .contains("SUCCESS");
        assertThat(ordersOf(request)).isEqualTo(1);
    }

    @Test
    void theLimitIsUnderTheFrozenKey() {
        await("the tokens at hand are spent").until(() -> {
            orders.create("limited", USER);
            return real.redis().exists("ratelimit:api:OrderController.create") == 1;
        });
    }

    @Test
    void aHundredAtOnceAreOneOrder() {
        String request = newRequest();
        assertOneOrder(request, orders.createAtOnce(100, request, () -> {}));
    }

    @Test
    void aHundredAtOnceWhileRedisIsFlushedAllTheTimeAreOneOrder() {
        String request = newRequest();
        assertOneOrder(request, orders.createAtOnce(100, request, real::flushRedis));
    }

    private void assertOneOrder(String request, List<HttpReply> replies) {
        assertThat(replies).extracting(HttpReply::code).containsOnly("00000");
        assertThat(replies.stream().map(HttpReply::data).distinct()).hasSize(1);
        assertThat(ordersOf(request)).isEqualTo(1);
        assertThat(orders.events(replies.get(0).orderNo(), "ORDER_CREATED")).isEqualTo(1);
    }

    @Test
    void aRepeatAfterAFlushIsTheSameOrderAsItStandsNow() {
        String request = newRequest();
        HttpReply first = orders.create(request, USER);
        orders.cancel(first.orderNo());
        real.flushRedis();
        HttpReply second = orders.create(request, USER);
        assertThat(second.orderNo()).isEqualTo(first.orderNo());
        assertThat(second.dataStatus()).isEqualTo("CANCELED");
        assertThat(orders.events(first.orderNo(), "ORDER_CREATED")).isEqualTo(1);
    }

    @Test
    void otherItemsAreRefusedAlsoAfterAFlush() {
        String request = newRequest();
        assertThat(orders.create(request, USER).code()).isEqualTo("00000");
        long rows = orders.rowsInAll();
        for (int i = 0; i < 2; i++) {
            HttpReply other = orders.post("/orders", RunningOrders.body(request, USER, OTHER_ITEMS));
            assertThat(other.status()).isEqualTo(422);
            assertThat(other.code()).isEqualTo("A0402");
            real.flushRedis();
        }
        assertThat(orders.rowsInAll()).isEqualTo(rows);
    }

    @Test
    void theSameOrderInOtherWordsIsTheSameRequestAlsoAfterAFlush() {
        String request = newRequest();
        List<String> same = RunningOrders.sameInOtherWords(request, USER);
        String first = orders.post("/orders", same.get(0)).orderNo();
        for (int i = 0; i < 2; i++) {
            for (String body : same) {
                assertThat(orders.post("/orders", body).orderNo()).as(body).isEqualTo(first);
            }
            real.flushRedis();
        }
        assertThat(ordersOf(request)).isEqualTo(1);
    }

    @Test
    void anotherUsersSameRequestIsRefusedWhileRedisRemembers() {
        String request = newRequest();
        String first = orders.create(request, USER).orderNo();
        assertThat(orders.create(request, USER + 1).code()).isEqualTo("A0402");
        real.flushRedis();
        HttpReply own = orders.create(request, USER + 1);
        assertThat(own.code()).isEqualTo("00000");
        assertThat(own.orderNo()).isNotEqualTo(first);
    }

    @Test
    void requestsThatDifferInCaseOnlyAreTwoOrders() {
        String request = "Case-" + newRequest();
        String first = orders.create(request, USER).orderNo();
        assertThat(orders.create(request.toUpperCase(Locale.ROOT), USER).orderNo())
                .isNotEqualTo(first);
    }

    @Test
    void aCancelIsKeptUnderItsOwnKeyFromTheHeaderOrTheBody() {
        String orderNo = orders.newOrder();
        String path = "/orders/" + orderNo + "/cancel";
        String header = newRequest();
        String body = newRequest();
        HttpReply canceled = orders.post(path, "", "X-Idempotency-Key", header);
        assertThat(canceled.dataStatus()).isEqualTo("CANCELED");
        assertThat(real.redis().exists("idempotent:order:cancel:" + header)).isEqualTo(1);
        assertThat(orders.post(path, "{\"clientRequestId\":\"" + body + "\"}").data())
                .isEqualTo(canceled.data());
        assertThat(real.redis().exists("idempotent:order:cancel:" + body)).isEqualTo(1);
        assertThat(orders.post("/orders/" + orders.newOrder() + "/cancel", "", "X-Idempotency-Key", header)
                        .code())
                .isEqualTo("A0402");
    }

    @Test
    void aCancelWithoutAKeyIsRefused() {
        String orderNo = orders.newOrder();
        for (String body : List.of("", "{}", "{\"clientRequestId\":null}", "{\"clientRequestId\":\"\"}")) {
            HttpReply refused = orders.post("/orders/" + orderNo + "/cancel", body);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.code()).isEqualTo("A0403");
        }
        assertThat(orders.statusOf(orderNo)).isEqualTo("CREATED");
    }
}
