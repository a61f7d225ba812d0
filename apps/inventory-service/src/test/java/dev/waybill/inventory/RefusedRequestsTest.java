package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ReplyAssertions;
import dev.waybill.servicetestkit.ServiceSettings;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller may not do, by path, query, header, key or body: the standard answer, nothing written, nothing forged. */
@Servers({Server.MARIADB, Server.REDIS})
class RefusedRequestsTest {

    private static final String GOOD = "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":1}";

    private static RunningInventory inventory;
    private long rowsBefore;

    @BeforeAll
    static void start(MariaDb mariaDb, Redis redis) {
        inventory = RunningInventory.start(ServiceSettings.onDatabase(mariaDb.freshDatabase())
                .redis(redis.url() + "/7")
                .set("waybill.broker", "memory"));
        inventory.receive("TEA", 3);
    }

    @AfterAll
    static void stop() {
        inventory.close();
    }

    @BeforeEach
    void countRows() {
        rowsBefore = rows();
    }

    private static long rows() {
        return Stream.of(
                        "t_inventory",
                        "t_inventory_txn",
                        "t_inventory_reservation",
                        "t_inventory_reservation_item",
                        "t_inventory_state_flow",
                        "t_outbox_event")
                .mapToLong(table -> inventory.count("SELECT COUNT(*) FROM " + table))
                .sum();
    }

    private void assertRefused(HttpReply reply, int status, String code) {
        ReplyAssertions.assertRefused(reply, status, code);
        assertThat(rows()).isEqualTo(rowsBefore);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "' OR '1'='1",
                "TEA' UNION SELECT 1,2,3,4,5 -- ",
                "TEA ",
                "tea",
                "一二三",
                "inv:1:TEA",
                "*",
            })
    void aNameThatNamesNothingIsNotFound(String name) {
        assertRefused(inventory.get("/inventory/1/" + encoded(name)), 404, "NOT_FOUND");
        assertRefused(inventory.get("/reservations/" + encoded(name)), 404, "NOT_FOUND");
    }

    @Test
    void aNameHoweverLongIsNotFound() {
        assertRefused(inventory.get("/inventory/1/" + "A".repeat(65)), 404, "NOT_FOUND");
        assertRefused(inventory.get("/inventory/1/" + "A".repeat(6_000)), 404, "NOT_FOUND");
        assertRefused(inventory.get("/reservations/" + "A".repeat(6_000)), 404, "NOT_FOUND");
        assertRefused(inventory.get("/inventory/-1/TEA"), 404, "NOT_FOUND");
        assertRefused(inventory.get("/inventory/9223372036854775807/TEA"), 404, "NOT_FOUND");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/inventory/one/TEA",
                "/inventory/1%20OR%201=1/TEA",
                "/inventory/9223372036854775808/TEA",
                "/inventory/1.0/TEA",
                "/inventory/1/TEA%00",
                "/inventory/1/%25",
                "/inventory/1/%0D%0A2099-01-01%20FORGED",
                "/reservations/%0D%0A2099-01-01%20FORGED",
                "/inventory/1/%2e%2e%2fTEA",
                "/reservations/..%2F..%2Fetc%2Fpasswd",
            })
    void aPathOfAnotherShapeIsRefused(String path) {
        assertRefused(inventory.get(path), 400, "A0400");
    }

    @Test
    void whatNobodyAskedForInTheQueryChangesNothing() {
        HttpReply plain = inventory.get("/inventory/1/TEA");
        assertThat(inventory
                        .get("/inventory/1/TEA?skuId=%27%20OR%201=1&warehouseId=2")
                        .data())
                .isEqualTo(plain.data());
        assertThat(rows()).isEqualTo(rowsBefore);
        assertRefused(inventory.post("/inventory/receive?warehouseId=1&skuId=TEA&quantity=9", "{}"), 400, "A0400");
    }

    @ParameterizedTest
    @ValueSource(strings = {"k k", "k\tk", "'; DROP TABLE t_inventory; --"})
    void aKeyOfOddCharactersIsRefused(String key) {
        for (String header : new String[] {"X-Idempotency-Key", "Idempotency-Key"}) {
            assertRefused(inventory.post("/inventory/receive", GOOD, header, key), 400, "A0400");
        }
    }

    @Test
    void aKeyThatIsTooLongIsRefused() {
        assertRefused(inventory.post("/inventory/receive", GOOD, "X-Idempotency-Key", "k".repeat(129)), 400, "A0400");
        assertRefused(inventory.post("/inventory/receive", GOOD, "X-Idempotency-Key", "k".repeat(5_000)), 400, "A0400");
    }

    @Test
    void sqlInAKeyIsTextLikeAnyOther() {
        String key = "x');DROP/**/TABLE/**/t_inventory;--" + UUID.randomUUID();
        long before = inventory.available("TEA");
        for (int i = 0; i < 2; i++) {
            assertThat(inventory
                            .post("/inventory/receive", GOOD, "X-Idempotency-Key", key)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(inventory.available("TEA")).isEqualTo(before + 1);
        assertThat(inventory.count("SELECT COUNT(*) FROM t_inventory_txn WHERE biz_key = ?", key))
                .isOne();
        assertRefusedWith(key, GOOD.replace("TEA", "SALT"));
        assertRefusedWith(key, GOOD.replace("\"quantity\":1", "\"quantity\":2"));
    }

    private void assertRefusedWith(String key, String otherBody) {
        rowsBefore = rows();
        assertRefused(inventory.post("/inventory/receive", otherBody, "X-Idempotency-Key", key), 422, "A0402");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":",
                "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":\"1\"}",
                "{\"warehouseId\":\"1\",\"skuId\":\"TEA\",\"quantity\":1}",
                "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":true}",
                "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":1e2}",
                "{\"warehouseId\":1,\"skuId\":[\"TEA\"],\"quantity\":1}",
                "{\"warehouseId\":1,\"skuId\":\"TEA \",\"quantity\":1}",
                "{\"warehouseId\":1,\"skuId\":\"\\ud800\",\"quantity\":1}",
                "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":1,\"quantity\":2}",
                "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":1,\"available\":9}",
                "{\"warehouseId\":1,\"skuId\":\"TEA\",\"quantity\":1} {}",
            })
    void aBodyOfAnotherShapeIsRefused(String body) {
        assertRefused(inventory.post("/inventory/receive", body), 400, "A0400");
    }

    @Test
    void hugeBodiesAreRefusedHoweverLarge() {
        String name = "{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":1}";
        for (int length : new int[] {65, 100_000, 500_000}) {
            assertRefused(inventory.post("/inventory/receive", name.formatted("A".repeat(length))), 400, "A0400");
        }
        assertRefused(inventory.post("/inventory/receive", name.formatted("A".repeat(3_000_000))), 413, "A0400");
        assertRefused(inventory.post("/inventory/receive", "[".repeat(100_000)), 400, "A0400");
        String endless = GOOD.replace("\"quantity\":1", "\"quantity\":" + "1".repeat(100_000));
        assertRefused(inventory.post("/inventory/receive", endless), 400, "A0400");
    }

    @Test
    void otherKindsOfBodiesAndMethodsHaveTheSameShape() {
        assertRefused(inventory.get("/inventory/receive"), 405, "A0400");
        assertRefused(inventory.post("/inventory/1/TEA", "{}"), 405, "A0400");
        assertRefused(inventory.post("/reservations/ORD1", "{}"), 405, "A0400");
        assertRefused(inventory.get("/inventory"), 404, "NOT_FOUND");
        assertRefused(
                inventory.send(inventory
                        .request("/inventory/receive")
                        .header("Content-Type", "text/plain")
                        .POST(BodyPublishers.ofString(GOOD))),
                415,
                "A0400");
    }

    @Test
    void aTraceIdOfOddCharactersIsReplaced() {
        HttpReply reply = inventory.post("/inventory/receive", "{}", "X-Trace-Id", "' OR 1=1");
        assertRefused(reply, 400, "A0400");
        assertThat(reply.body().path("traceId").asString()).matches("[0-9a-f]{32}");
    }

    @AfterEach
    void theServiceGoesOn() {
        long before = inventory.available("TEA");
        inventory.receive("TEA", 1);
        assertThat(inventory.available("TEA")).isEqualTo(before + 1);
    }
}
