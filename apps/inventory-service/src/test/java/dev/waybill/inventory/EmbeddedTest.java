package dev.waybill.inventory;

import static dev.waybill.inventory.RunningInventory.canceled;
import static dev.waybill.inventory.RunningInventory.created;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inventory.RunningInventory.Reply;
import dev.waybill.message.Event;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default profile: nothing installed, everything inside the process. */
class EmbeddedTest {

    private static RunningInventory inventory;

    private final String order = "ORD" + UUID.randomUUID();
    private final String sku = "SKU-" + UUID.randomUUID();

    @BeforeAll
    static void start(@TempDir Path data) {
        inventory = RunningInventory.start(Map.of("server.port", 0, "waybill.data-dir", data));
    }

    @AfterAll
    static void stop() {
        inventory.close();
    }

    @Test
    void anOrderReservesItsStockAndSaysSo() {
        inventory.receive(sku, 10);
        Event created = created(order, sku, 3);
        inventory.send(created);

        Event answer = inventory.answer(order);
        assertThat(answer.type()).isEqualTo("StockReserved");
        assertThat(answer.traceId()).isEqualTo("trace-" + order);
        assertThat(answer.payload())
                .isEqualTo("{\"orderNo\":\"%s\",\"items\":[{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":3}]}"
                        .formatted(order, sku));
        assertThat(inventory.available(sku)).isEqualTo(7);
        assertThat(inventory.reserved(sku)).isEqualTo(3);
        Reply reservation = inventory.get("/reservations/" + order);
        assertThat(reservation.data().path("status").asString()).isEqualTo("RESERVED");
        assertThat(reservation.data().path("items").get(0).path("quantity").asLong())
                .isEqualTo(3);
        assertThat(inventory.consumeLog(created)).isEqualTo("SUCCESS");
        inventory.untilGateAgrees(sku);
    }

    @Test
    void anOrderThatCannotHaveEverythingGetsNothingAndHearsWhatIsShort() {
        String other = sku + "-b";
        inventory.receive(sku, 10);
        inventory.receive(other, 1);
        inventory.send(created(order, sku, 3, other, 2, "NO-SUCH-SKU", 1));

        Event answer = inventory.answer(order);
        assertThat(answer.type()).isEqualTo("StockReserveFailed");
        assertThat(answer.payload())
                .isEqualTo(("{\"orderNo\":\"%s\",\"shortItems\":["
                                + "{\"warehouseId\":1,\"skuId\":\"NO-SUCH-SKU\",\"requested\":1,\"available\":0},"
                                + "{\"warehouseId\":1,\"skuId\":\"%s\",\"requested\":2,\"available\":1}]}")
                        .formatted(order, other));
        assertThat(inventory.available(sku)).isEqualTo(10);
        inventory.untilGateAgrees(sku);
        inventory.untilGateAgrees(other);
    }

    @Test
    void linesOfTheSameSkuAreOne() {
        inventory.receive(sku, 10);
        inventory.send(created(order, sku, 6, sku, 5));
        assertThat(inventory.answer(order).type()).isEqualTo("StockReserveFailed");
        inventory.send(created(order + "x", sku, 5, sku, 5));
        assertThat(inventory.answer(order + "x").type()).isEqualTo("StockReserved");
        assertThat(inventory.available(sku)).isZero();
    }

    @Test
    void aCancelGivesTheStockBackOnce() {
        inventory.receive(sku, 10);
        inventory.send(created(order, sku, 4));
        inventory.answer(order);
        Event cancel = canceled(order, sku, 4);
        inventory.send(cancel);
        inventory.until(() -> assertThat(inventory.available(sku)).isEqualTo(10));

        Event again = canceled(order, sku, 4);
        inventory.send(cancel);
        inventory.send(again);
        inventory.until(() -> assertThat(inventory.consumeLog(again)).isEqualTo("IGNORED"));
        assertThat(inventory.available(sku)).isEqualTo(10);
        assertThat(inventory.reserved(sku)).isZero();
        assertThat(inventory.told(order)).hasSize(1);
        inventory.untilGateAgrees(sku);
    }

    @Test
    void aCancelThatComesFirstLeavesATombstoneThatTheLateOrderRespects() {
        inventory.receive(sku, 10);
        Event cancel = canceled(order, sku, 4);
        inventory.send(cancel);
        inventory.until(() -> assertThat(inventory.consumeLog(cancel)).isEqualTo("SUCCESS"));
        Event late = created(order, sku, 4);
        inventory.send(late);

        inventory.until(() -> assertThat(inventory.consumeLog(late)).isEqualTo("IGNORED"));
        assertThat(inventory.available(sku)).isEqualTo(10);
        assertThat(inventory.told(order)).isEmpty();
        assertThat(inventory.count("SELECT count(*) FROM t_outbox_event WHERE biz_key = ?", order))
                .isZero();
        assertThat(inventory.count(
                        "SELECT count(*) FROM t_inventory_state_flow WHERE order_no = ? AND ignored_reason = ?",
                        order,
                        "STATUS_CANCELED"))
                .isEqualTo(1);
        inventory.untilGateAgrees(sku);
    }

    @Test
    void theSameReceiptIsAddedOnceAlsoWhenTheGuardHasForgottenIt() {
        String body = "{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":5}".formatted(sku);
        String key = UUID.randomUUID().toString();
        Reply first = inventory.post("/inventory/receive", body, "X-Idempotency-Key", key);
        assertThat(first.data().path("available").asLong()).isEqualTo(5);
        Reply repeat = inventory.post("/inventory/receive", body, "X-Idempotency-Key", key);
        assertThat(repeat.data()).isEqualTo(first.data());
        assertThat(inventory.available(sku)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"warehouseId\":1,\"skuId\":\"A\",\"quantity\":0}",
                "{\"warehouseId\":1,\"skuId\":\"A\",\"quantity\":-5}",
                "{\"warehouseId\":1,\"skuId\":\"A\",\"quantity\":1.5}",
                "{\"warehouseId\":1,\"skuId\":\"A\",\"quantity\":9223372036854775808}",
                "{\"warehouseId\":1,\"skuId\":\"A\",\"quantity\":1000000001}",
                "{\"warehouseId\":0,\"skuId\":\"A\",\"quantity\":1}",
                "{\"warehouseId\":1,\"skuId\":\"\",\"quantity\":1}",
                "{\"warehouseId\":1,\"skuId\":\"A' OR '1'='1\",\"quantity\":1}",
                "{\"warehouseId\":1,\"skuId\":\"A\\nB\",\"quantity\":1}",
                "{\"warehouseId\":1,\"skuId\":\"A\",\"quantity\":1,\"price\":3}",
                "not json"
            })
    void badInputIsRefusedInTheHousesShapeAndNothingIsWritten(String body) {
        long before = inventory.count("SELECT count(*) FROM t_inventory_txn");
        Reply reply = inventory.post("/inventory/receive", body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.code()).isEqualTo("A0400");
        assertThat(reply.body().path("traceId").asString()).isNotBlank();
        assertThat(inventory.count("SELECT count(*) FROM t_inventory_txn")).isEqualTo(before);
    }

    @Test
    void aRowTakesNoMoreThanItCanCount() {
        inventory
                .bean(org.springframework.jdbc.core.JdbcTemplate.class)
                .update(
                        "INSERT INTO t_inventory (warehouse_id, sku_id, available, reserved, version) VALUES (1, ?, ?, 0, 1)",
                        sku,
                        999_999_999_999L);
        Reply reply = inventory.post(
                "/inventory/receive", "{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":2}".formatted(sku));
        assertThat(reply.code()).isEqualTo("A0400");
        assertThat(inventory.available(sku)).isEqualTo(999_999_999_999L);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertThat(inventory.get("/inventory/1/NOBODY-HAS-IT").code()).isEqualTo("NOT_FOUND");
        assertThat(inventory.get("/reservations/ORD404").code()).isEqualTo("NOT_FOUND");
        assertThat(inventory.get("/inventory/one/A").code()).isEqualTo("A0400");
    }

    @Test
    void thereIsAnOpenApiPage() {
        assertThat(inventory.get("/v3/api-docs").body().path("paths").has("/inventory/receive"))
                .isTrue();
    }
}
