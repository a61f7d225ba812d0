package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goods are counted once per key, with Redis, with Redis flushed and without it. */
@Servers({Server.MARIADB, Server.REDIS})
class ReceiptsTest {

    private static RunningInventory inventory;
    private static RedisClient client;
    private static RedisCommands<String, String> direct;

    private final String sku = "SKU-" + UUID.randomUUID();
    private final String body = "{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":5}".formatted(sku);
    private final String sameBody = " {\"quantity\" : 5, \"skuId\":\"%s\",\"warehouseId\":1}".formatted(sku);

    @BeforeAll
    static void start(MariaDb mariaDb, Redis redis) {
        String url = redis.url() + "/4";
        client = RedisClient.create(url);
        direct = client.connect().sync();
        direct.flushdb();
        inventory = RunningInventory.start(
                ServiceSettings.onDatabase(mariaDb.freshDatabase()).redis(url).set("waybill.broker", "memory"));
    }

    @AfterAll
    static void stop() {
        inventory.close();
        client.shutdown();
    }

    @Test
    void withoutAKeyNothingIsReceivedAndNothingRemembered() {
        HttpReply reply = inventory.post("/inventory/receive", body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.code()).isEqualTo("A0403");
        assertThat(inventory.get("/inventory/1/" + sku).code()).isEqualTo("NOT_FOUND");
        assertThat(direct.keys("idempotent:inventory:receive:one-off*")).isEmpty();
    }

    @Test
    void theSameGoodsUnderTheSameKeyAreAnsweredAlikeHoweverTheyAreSpelledAndWhoeverRemembers() {
        String key = UUID.randomUUID().toString();
        HttpReply first = inventory.post("/inventory/receive", body, "X-Idempotency-Key", key);
        assertThat(first.number("available")).isEqualTo(5);
        inventory.receive(sku, 2);
        for (boolean flushed : new boolean[] {false, true}) {
            if (flushed) {
                direct.flushdb();
            }
            HttpReply repeat = inventory.post("/inventory/receive", sameBody, "Idempotency-Key", '"' + key + '"');
            assertThat(repeat.data()).as("flushed: %s", flushed).isEqualTo(first.data());
            assertThat(inventory
                            .post("/inventory/receive", body.replace("5", "6"), "X-Idempotency-Key", key)
                            .code())
                    .isEqualTo("A0402");
        }
        assertThat(inventory.available(sku)).isEqualTo(7);
    }

    @Test
    void aKeyThatComesTwiceOrBesideAnEmptyOneIsTheSameKeyAlsoInTheDatabase() {
        String key = UUID.randomUUID().toString();
        HttpReply first =
                inventory.post("/inventory/receive", body, "X-Idempotency-Key", key, "X-Idempotency-Key", key);
        for (String[] headers :
                new String[][] {{"X-Idempotency-Key", key}, {"X-Idempotency-Key", "\"\"", "Idempotency-Key", key}}) {
            direct.flushdb();
            assertThat(inventory.post("/inventory/receive", body, headers).data())
                    .isEqualTo(first.data());
        }
        assertThat(inventory.available(sku)).isEqualTo(5);
    }

    @Test
    @Tag("outage")
    void firstReceiptsAtOnceWithoutRedisAreCountedOnceAndAnsweredAlike(Redis redis) {
        redis.stop();
        try {
            List<HttpReply> replies = ConcurrentCalls.run(
                    24,
                    caller -> inventory.post(
                            "/inventory/receive", caller % 2 == 0 ? body : sameBody, "X-Idempotency-Key", sku));
            assertThat(replies).allSatisfy(reply -> {
                assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
                assertThat(reply.data()).isEqualTo(replies.get(0).data());
            });
            assertThat(inventory.available(sku)).isEqualTo(5);
        } finally {
            redis.start();
        }
    }
}
