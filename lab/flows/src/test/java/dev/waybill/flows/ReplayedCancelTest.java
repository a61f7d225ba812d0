package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inventory.InventoryApplication;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.order.OrderApplication;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;

/** An order is canceled while the inventory cannot release: an operator finds the dead event, replays it over the API, and the stock is back. */
class ReplayedCancelTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LETTERS = "/waybill/api/dead-letters";
    private static final long SKU = 77;

    private static RunningService orders;
    private static RunningService inventory;

    @BeforeAll
    static void start(@TempDir Path folder) {
        MemoryBroker broker = new MemoryBroker();
        Consumer<GenericApplicationContext> shared =
                beans -> beans.registerBean("sharedBroker", MemoryBroker.class, () -> broker);
        orders = service(OrderApplication.application(), folder, shared);
        inventory = service(InventoryApplication.application(), folder, shared);
    }

    private static RunningService service(
            SpringApplicationBuilder application, Path folder, Consumer<GenericApplicationContext> shared) {
        return new RunningService(
                application,
                ServiceSettings.embedded(folder)
                        .set(BearerTokens.SECRET_PROPERTY, BearerTokens.OF_TESTS.secret())
                        .set("waybill.inbox.retry-delays", "100ms,100ms,100ms")
                        .set("spring.main.banner-mode", "off"),
                shared);
    }

    @AfterAll
    static void stop() {
        inventory.close();
        orders.close();
    }

    @Test
    void aDeadCancelIsFoundReplayedOverTheApiAndItsStockIsBack() {
        HttpCalls operator = inventory.with(BearerTokens.OF_TESTS.operator());
        HttpCalls buyer = orders.with(BearerTokens.OF_TESTS.user(7));
        operator.post(
                "/inventory/receive",
                "{\"warehouseId\":1,\"skuId\":" + SKU + ",\"quantity\":5}",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
        String orderNo = buyer.post("/orders", OrderFlowClient.basket(SKU, 5)).orderNo();
        await().atMost(PATIENCE)
                .until(() -> buyer.get("/orders/" + orderNo).dataStatus().equals("STOCK_RESERVED"));

        inventory.update("ALTER TABLE t_inventory_reservation_item RENAME TO t_items_away");
        HttpReply canceled = buyer.post(
                "/orders/" + orderNo + "/cancel",
                "{}",
                "X-Idempotency-Key",
                UUID.randomUUID().toString());
        assertThat(canceled.dataStatus()).isEqualTo("CANCELED");
        await().atMost(PATIENCE)
                .until(() -> operator.get(LETTERS + "?state=OPEN")
                                .data()
                                .path("items")
                                .size()
                        == 1);
        inventory.update("ALTER TABLE t_items_away RENAME TO t_inventory_reservation_item");

        HttpReply groups = operator.get(LETTERS + "/groups");
        assertThat(groups.data().path("groups")).hasSize(1);
        long id = operator.get(LETTERS + "?state=OPEN")
                .data()
                .path("items")
                .get(0)
                .path("id")
                .asLong();
        assertThat(operator.get(LETTERS + "/" + id)
                        .data()
                        .path("body")
                        .path("content")
                        .asString())
                .contains(orderNo);
        assertThat(operator.get("/inventory/1/" + SKU).number("available")).isZero();
        assertThat(buyer.get("/orders/" + orderNo).dataStatus()).isEqualTo("CANCELED");
        assertThat(inventory
                        .with(BearerTokens.OF_TESTS.user(7))
                        .post(LETTERS + "/replay", "{\"choice\":{\"filter\":{}},\"reason\":\"mine\"}")
                        .status())
                .isEqualTo(403);

        HttpReply job =
                operator.post(LETTERS + "/replay", "{\"choice\":{\"filter\":{}},\"reason\":\"the table is back\"}");
        assertThat(job.status()).isEqualTo(202);
        await().atMost(PATIENCE)
                .until(() -> operator.get("/waybill/api/jobs/" + job.id())
                        .text("state")
                        .equals("FINISHED"));
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(operator.get("/inventory/1/" + SKU).number("available"))
                                .isEqualTo(5));
        assertThat(operator.get("/reservations/" + orderNo).dataStatus()).isEqualTo("RELEASED");
        assertThat(inventory.count("SELECT COUNT(*) FROM waybill_audit WHERE action = 'REPLAY' AND actor = 'operator'"
                        + " AND reason = 'the table is back'"))
                .isEqualTo(1);
    }
}
