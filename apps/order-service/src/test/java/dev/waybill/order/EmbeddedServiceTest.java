package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.MemoryTransport;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servicetestkit.ConfirmedSend;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.OrderFlowTopics;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The default profile: nothing installed. The tests share one service and look at orders of their own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedServiceTest {

    private Path folder;
    private RunningOrders orders;

    @BeforeAll
    void start(@TempDir Path shared) {
        folder = shared;
        start();
    }

    private void start() {
        orders = RunningOrders.start(OrderFlowTopics.raiseOrderLimits(ServiceSettings.embedded(folder)));
    }

    @AfterAll
    void stop() {
        orders.close();
    }

    @Test
    void anOrderIsWrittenWithItsItemsItsHistoryAndItsEvent() {
        HttpReply created = orders.post("/orders", RunningOrders.body("first", 10001), "X-Trace-Id", "trace-1");
        assertThat(created.code()).isEqualTo("00000");
        assertThat(created.body().path("traceId").asString()).isEqualTo("trace-1");
        assertThat(created.orderNo()).matches("ORD[0-9]{21}");
        assertThat(created.data().propertyNames())
                .containsExactly("orderNo", "userId", "status", "amount", "items", "version", "createdAt", "updatedAt");
        assertThat(created.data().path("amount").decimalValue()).isEqualTo("29.97");
        assertThat(created.data().path("items").get(0).path("warehouseId").asInt())
                .isEqualTo(1);
        assertThat(orders.get("/orders/" + created.orderNo()).data()).isEqualTo(created.data());

        HttpReply flow = orders.get("/orders/" + created.orderNo() + "/flow");
        assertThat(flow.data()).hasSize(1);
        assertThat(flow.data().get(0).propertyNames())
                .containsExactly("fromStatus", "toStatus", "event", "eventId", "ignoredReason", "traceId", "createdAt");
        assertThat(flow.data().get(0).path("toStatus").asString()).isEqualTo("CREATED");
        assertThat(flow.data().get(0).path("traceId").asString()).isEqualTo("trace-1");

        await().untilAsserted(() -> assertThat(sentToInventory(created.orderNo()))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.traceId()).isEqualTo("trace-1");
                    assertThat(event.eventId())
                            .isEqualTo(flow.data().get(0).path("eventId").asString());
                }));
    }

    @Test
    void dataSurvivesARestart() {
        String orderNo = orders.newOrder();
        orders.close();
        start();
        assertThat(orders.get("/orders/" + orderNo).dataStatus()).isEqualTo("CREATED");
    }

    @Test
    void aUsersOrdersComeNewestFirstPageByPage() {
        String first = orders.create("page-1", 7).orderNo();
        String second = orders.create("page-2", 7).orderNo();
        String third = orders.create("page-3", 7).orderNo();
        orders.create("page-4", 8);
        HttpReply page = orders.get("/orders?userId=7&page=1&size=2");
        assertThat(page.data().path("total").asInt()).isEqualTo(3);
        assertThat(page.data()
                        .path("orders")
                        .valueStream()
                        .map(order -> order.path("orderNo").asString()))
                .containsExactly(third, second);
        assertThat(page.data().path("orders").get(0).path("items")).hasSize(2);
        HttpReply last = orders.get("/orders?userId=7&page=2&size=2");
        assertThat(last.data().path("orders").get(0).path("orderNo").asString()).isEqualTo(first);
        assertThat(orders.get("/orders?userId=9").data().path("orders")).isEmpty();
    }

    @Test
    void theOpenApiPageShowsEveryPathAndEveryRefusal() {
        JsonNode page = orders.get("/v3/api-docs").body();
        assertThat(page.path("info").path("title").asString()).isEqualTo("Order service");
        assertThat(page.path("paths").propertyNames())
                .containsExactlyInAnyOrder(
                        "/orders", "/orders/{orderNo}", "/orders/{orderNo}/cancel", "/orders/{orderNo}/flow");
        JsonNode cancel = page.path("paths").path("/orders/{orderNo}/cancel").path("post");
        assertThat(cancel.path("summary").asString()).isEqualTo("Cancel an order");
        assertThat(cancel.path("parameters").findValuesAsString("name")).contains("X-Idempotency-Key");
        assertThat(cancel.path("responses").propertyNames())
                .containsExactly("200", "400", "404", "409", "422", "429", "500", "503");
        assertThat(cancel.path("responses").path("409").path("description").asString())
                .contains("STATE_INVALID", "A0401");
    }

    @Test
    void aBrokerThatTheContextBringsIsUsed() {
        MemoryBroker shared = new MemoryBroker();
        try (RunningOrders second = RunningOrders.start(
                ServiceSettings.embedded(folder.resolve("second")),
                context -> context.registerBean(MemoryBroker.class, () -> shared))) {
            second.newOrder();
            await().untilAsserted(() -> assertThat(shared.read("ORDER_TOPIC")).hasSize(1));
        }
    }

    @Test
    void beyondTheLimitTheAnswerIs429AndNothingIsWritten() {
        String limit = "waybill.guard.ratelimit.apis[OrderController.create].";
        try (RunningOrders slow = RunningOrders.start(ServiceSettings.embedded(folder.resolve("slow"))
                .set(limit + "rate", "0.001")
                .set(limit + "capacity", "1"))) {
            assertThat(slow.create("one", 1).code()).isEqualTo("00000");
            HttpReply refused = slow.create("two", 1);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.code()).isEqualTo("A0500");
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(slow.count("SELECT COUNT(*) FROM t_order")).isEqualTo(1);
        }
    }

    private void reserve(String orderNo) {
        Event reserved = Event.of("StockReserved", "{\"orderNo\":\"" + orderNo + "\"}");
        try (MemoryTransport inventory = new MemoryTransport(orders.bean(MemoryBroker.class))) {
            inventory.start();
            ConfirmedSend.send(
                    inventory, ConfirmedSend.message(Destination.of("STOCK_TOPIC", "STOCK_RESERVED"), reserved));
        }
    }

    @Test
    void anAnswerThatNobodyHasReadYetSurvivesARestartAndSoDoesWhatWasSent() {
        orders.close();
        orders = RunningOrders.start(ServiceSettings.embedded(folder).set("waybill.inbox.enabled", "false"));
        String orderNo = orders.newOrder();
        await().until(() -> sentToInventory(orderNo).size() == 1);
        reserve(orderNo);
        orders.close();
        start();
        await().untilAsserted(() -> assertThat(orders.statusOf(orderNo)).isEqualTo("STOCK_RESERVED"));
        assertThat(sentToInventory(orderNo))
                .as("once, although it was sent before the restart")
                .hasSize(1);
    }

    private List<Event> sentToInventory(String orderNo) {
        return orders.bean(MemoryBroker.class).read("ORDER_TOPIC").stream()
                .map(stored -> Envelope.decode(stored.message().body()))
                .filter(event -> orderNo.equals(event.bizKey()))
                .toList();
    }

    @Test
    void anEventInTheInventorysNameMovesTheOrder() {
        String orderNo = orders.newOrder();
        reserve(orderNo);
        await().untilAsserted(() -> assertThat(orders.statusOf(orderNo)).isEqualTo("STOCK_RESERVED"));
        assertThat(orders.cancel(orderNo).dataStatus()).isEqualTo("CANCELED");
        assertThat(orders.events(orderNo, "ORDER_CANCELED")).isEqualTo(1);
    }

    @Test
    void aHundredCreatesAtOnceAreOneOrderHoweverTheyAreSpelled() {
        long before = orders.count("SELECT COUNT(*) FROM t_order");
        long eventsBefore = orders.count("SELECT COUNT(*) FROM t_outbox_event");
        List<HttpReply> replies = orders.createAtOnce(100, "at-once", () -> {});
        assertThat(replies).extracting(HttpReply::code).containsOnly("00000");
        assertThat(replies.stream().map(HttpReply::data).distinct()).hasSize(1);
        assertThat(orders.count("SELECT COUNT(*) FROM t_order") - before).isEqualTo(1);
        assertThat(orders.count("SELECT COUNT(*) FROM t_outbox_event") - eventsBefore)
                .isEqualTo(1);
    }
}
