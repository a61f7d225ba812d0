package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.Orders;
import dev.waybill.guard.running.RedisDirect;
import dev.waybill.guard.running.Service;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Servers(Server.REDIS)
@ExtendWith(OutputCaptureExtension.class)
class RedisHandlerTest implements IdempotentHandlerContract {

    private static Service service;
    private static RedisDirect direct;

    @BeforeAll
    static void start(Redis redis) {
        direct = new RedisDirect(redis);
        service = Service.with(
                List.of(Orders.class),
                "waybill.guard.redis.uri=" + redis.url(),
                "waybill.guard.redis.timeout=2s",
                "waybill.guard.idempotent.lease=1s");
    }

    @AfterAll
    static void stop() {
        service.close();
        direct.removeAll("idempotent:test:*");
        direct.close();
    }

    @Override
    public Service service() {
        return service;
    }

    @Test
    void aRunThatTakesLongerThanItsLeaseKeepsIt() {
        String sku = IdempotentHandlerContract.fresh();
        CountDownLatch gate = Orders.gate(sku);
        CompletableFuture<HttpReply> first =
                service.postLater("/answer", IdempotentHandlerContract.item(sku, 1), KEY, sku);
        String key = "idempotent:test:answer:" + sku;
        Awaitility.await().until(() -> direct.commands().exists(key) == 1);
        long firstEnd = direct.commands().pexpiretime(key);
        Awaitility.await().until(() -> direct.commands().pexpiretime(key) > firstEnd + 1500);
        assertThat(service.post("/answer", IdempotentHandlerContract.item(sku, 1), KEY, sku)
                        .code())
                .isEqualTo("A0401");
        gate.countDown();
        assertThat(first.join().status()).isEqualTo(200);
        assertThat(Orders.runs(sku)).isEqualTo(1);
    }

    /** The holder stalls, as in a long pause of its process: Redis forgets the claim and a successor finishes first. */
    @Test
    void aLateFinisherAnswersItsCallerButStoresNothing() {
        String sku = IdempotentHandlerContract.fresh();
        String item = IdempotentHandlerContract.item(sku, 1);
        CountDownLatch gate = Orders.gate(sku);
        CompletableFuture<HttpReply> late = service.postLater("/answer", item, KEY, sku);
        Awaitility.await().until(() -> Orders.runs(sku) == 1);
        direct.commands().del("idempotent:test:answer:" + sku);
        CompletableFuture<HttpReply> successor = service.postLater("/answer", item, KEY, sku);
        Awaitility.await().until(() -> Orders.runs(sku) == 2);
        gate.countDown();
        String stored = service.post("/answer", item, KEY, sku, "X-Trace-Id", "reader")
                        .code()
                        .equals("00000")
                ? service.post("/answer", item, KEY, sku).rawData()
                : "";
        assertThat(late.join().status()).isEqualTo(200);
        assertThat(successor.join().status()).isEqualTo(200);
        assertThat(service.post("/answer", item, KEY, sku).rawData())
                .isEqualTo(successor.join().rawData())
                .isNotEqualTo(late.join().rawData());
        assertThat(stored).isIn("", successor.join().rawData());
    }

    @Test
    void aWrongPasswordReadsAsSuchAndIsNotRepeated(Redis redis, CapturedOutput output) {
        String wrong = "redis://:hunter2@" + redis.host() + ":" + redis.port();
        try (Service other = Service.with(
                List.of(Orders.class), "waybill.guard.redis.uri=" + wrong, "waybill.guard.redis.timeout=5s")) {
            String sku = IdempotentHandlerContract.fresh();
            assertThat(other.post("/answer", IdempotentHandlerContract.item(sku, 1), KEY, sku)
                            .code())
                    .isEqualTo("C0001");
        }
        assertThat(output)
                .containsOnlyOnce("[RedisLink] Redis refuses the user or the password")
                .contains("[Guard] store down guard=idempotent reason=LOGIN_REFUSED")
                .doesNotContain("hunter2");
    }
}
