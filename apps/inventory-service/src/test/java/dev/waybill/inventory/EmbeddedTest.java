package dev.waybill.inventory;

import static dev.waybill.inventory.RunningInventory.canceled;
import static dev.waybill.inventory.RunningInventory.created;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.StoredMessage;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.servicetestkit.AsyncApiDocument;
import dev.waybill.servicetestkit.CapturedLog;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The default profile: nothing installed, everything inside the process. */
class EmbeddedTest implements InventoryPromises {

    private static RunningInventory inventory;

    private final String sku = "SKU-" + UUID.randomUUID();

    @BeforeAll
    static void start(@TempDir Path data) {
        inventory = RunningInventory.start(ServiceSettings.embedded(data));
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
        HttpReply reply = inventory.post("/inventory/receive", body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.code()).isEqualTo("A0400");
        assertThat(reply.body().path("traceId").asString()).isNotBlank();
        assertThat(inventory.count("SELECT count(*) FROM t_inventory_txn")).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"warehouseId, 0, A, 1", "skuId, 1, A B, 1", "quantity, 1, A, 0", "quantity, 1, A, 1000000001"})
    void theFieldThatBreaksARuleIsNamed(String field, long warehouse, String name, long quantity) {
        HttpReply reply = inventory.post(
                "/inventory/receive",
                "{\"warehouseId\":%d,\"skuId\":\"%s\",\"quantity\":%d}".formatted(warehouse, name, quantity),
                "X-Idempotency-Key",
                sku);
        assertThat(reply.code()).isEqualTo("A0400");
        assertThat(reply.field()).isEqualTo(field);
    }

    @Test
    void anOrderThatNobodyHasReadYetSurvivesARestart(@TempDir Path data) {
        ServiceSettings settings = ServiceSettings.embedded(data);
        String order = "ORD" + UUID.randomUUID();
        try (RunningInventory deaf =
                RunningInventory.start(settings.copy().set("inventory.order-topic", "ELSEWHERE"))) {
            deaf.receive(sku, 1);
            deaf.sendTo("ORDER_TOPIC", List.of(created(order, sku, 1)));
        }
        try (RunningInventory restarted = RunningInventory.start(settings)) {
            assertThat(restarted.answer(order).type()).isEqualTo("StockReserved");
        }
    }

    @Test
    void consumedEventsAreLoggedUnderTheNamesThatOperatorsLookFor() {
        String order = "ORD" + UUID.randomUUID();
        inventory.receive(sku, 1);
        Event created = created(order, sku, 1);
        Event canceled = canceled(order);
        try (CapturedLog log = new CapturedLog()) {
            inventory.send(created);
            inventory.answer(order);
            inventory.send(canceled);
            String consumed = "Message consumed successfully eventId=";
            await().atMost(RunningInventory.PATIENCE)
                    .untilAsserted(() -> assertThat(log.lines())
                            .anyMatch(line -> line.contains("[OrderCreatedConsumer] " + consumed + created.eventId()))
                            .anyMatch(
                                    line -> line.contains("[OrderCanceledConsumer] " + consumed + canceled.eventId())));
        }
    }

    @Test
    void theLongestKeyIsTakenAlsoInQuotesAndALongerOneIsRefused() {
        String body = "{\"warehouseId\":1,\"skuId\":\"%s\",\"quantity\":1}".formatted(sku);
        String key = "k".repeat(128);
        assertThat(inventory
                        .post("/inventory/receive", body, "Idempotency-Key", "\"" + key + "\"")
                        .status())
                .isEqualTo(200);
        assertThat(inventory
                        .post("/inventory/receive", body, "X-Idempotency-Key", key)
                        .status())
                .isEqualTo(200);
        assertThat(inventory.available(sku)).isEqualTo(1);
        assertThat(inventory
                        .post("/inventory/receive", body, "X-Idempotency-Key", key + "k")
                        .code())
                .isEqualTo("A0400");
    }

    @Test
    void aRowTakesNoMoreThanItCanCount() {
        inventory.update(
                "INSERT INTO t_inventory (warehouse_id, sku_id, available, reserved, version, created_at, updated_at)"
                        + " VALUES (1, ?, ?, 0, 1, now(), now())",
                sku,
                999_999_999_999L);
        HttpReply reply = inventory.receiveUnder(sku, sku, 2);
        assertThat(reply.code()).isEqualTo("A0400");
        assertThat(reply.field()).isEqualTo("quantity");
        assertThat(inventory.available(sku)).isEqualTo(999_999_999_999L);
    }

    @Test
    void whatIsNotThereIsNotFound() {
        assertThat(inventory.get("/inventory/1/NOBODY-HAS-IT").code()).isEqualTo("NOT_FOUND");
        assertThat(inventory.get("/reservations/ORD404").code()).isEqualTo("NOT_FOUND");
        assertThat(inventory.get("/inventory/one/A").code()).isEqualTo("A0400");
    }

    @Test
    void thereIsAnOpenApiPage() throws Exception {
        assertThat(inventory.statusCode("/swagger-ui/index.html")).isEqualTo(200);
        JsonNode page = inventory.get("/v3/api-docs").body();
        assertThat(page.path("info").path("title").asString()).isEqualTo("Inventory service");
        assertThat(page.path("paths").propertyNames())
                .containsExactlyInAnyOrder(
                        "/inventory/receive", "/inventory/{warehouseId}/{skuId}", "/reservations/{orderNo}");
        JsonNode receive = page.path("paths").path("/inventory/receive").path("post");
        assertThat(receive.path("summary").asString()).isEqualTo("Take goods in");
        assertThat(receive.path("responses").propertyNames()).containsExactly("200", "400", "409", "422", "500", "503");
    }

    @Test
    void whatIsSentIsWhatTheEventsDocumentSays() throws Exception {
        AsyncApiDocument document = AsyncApiDocument.read("docs/events/inventory.asyncapi.yaml");
        String order = "ORD" + UUID.randomUUID();
        inventory.receive(sku, 1);
        inventory.send(created(order, sku, 1));
        inventory.answer(order);
        inventory.send(created(order + "x", sku, 1));
        inventory.answer(order + "x");

        MemoryBroker broker = inventory.bean(MemoryBroker.class);
        Set<String> tags = new HashSet<>();
        for (StoredMessage delivery : broker.read(document.address("stock"))) {
            Message message = delivery.message();
            tags.add(message.destination().tag());
            assertThat(document.violations("stock", message.destination().tag(), message.body()))
                    .as(new String(message.body(), UTF_8))
                    .isEmpty();
        }
        assertThat(tags).containsExactlyInAnyOrder("STOCK_RESERVED", "STOCK_RESERVE_FAILED");
        for (StoredMessage delivery : broker.read(document.address("orders"))) {
            Message message = delivery.message();
            JsonNode body = new JsonMapper().readTree(message.body());
            if (order.equals(body.path("bizKey").asString())) {
                assertThat(document.violations("orders", message.destination().tag(), message.body()))
                        .isEmpty();
            }
        }
    }

    @Test
    void theEventsDocumentNoticesWhatItDoesNotDescribe() throws Exception {
        AsyncApiDocument document = AsyncApiDocument.read("docs/events/inventory.asyncapi.yaml");
        String body = "{\"eventType\":\"StockReserved\",\"payload\":{\"orderNo\":7,\"items\":[],\"more\":1}}";
        assertThat(document.violations("stock", "STOCK_RESERVED", body.getBytes(UTF_8)))
                .contains(
                        ": required property 'eventId' not found",
                        "/payload/orderNo: integer found, string expected",
                        "/payload/items: must have at least 1 items but found 0",
                        "/payload: property 'more' is not defined in the schema and the schema does not allow additional properties");
    }
}
