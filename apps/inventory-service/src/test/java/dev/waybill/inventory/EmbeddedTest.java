package dev.waybill.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.inventory.RunningInventory.Reply;
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
class EmbeddedTest implements InventoryPromises {

    private static RunningInventory inventory;

    private final String sku = "SKU-" + UUID.randomUUID();

    @BeforeAll
    static void start(@TempDir Path data) {
        inventory = RunningInventory.start(Map.of("server.port", 0, "waybill.data-dir", data));
    }

    @AfterAll
    static void stop() {
        inventory.close();
    }

    @Override
    public RunningInventory inventory() {
        return inventory;
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
