package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.alert.AlertNotice;
import dev.waybill.alert.AlertSink;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The default profile, with no server installed, does the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedTest {

    private final List<String> alerts = new CopyOnWriteArrayList<>();
    private RunningMarket market;

    /** Its time runs while the other tests do. */
    private HttpReply unpaid;

    @BeforeAll
    void start(@TempDir Path folder) {
        market = RunningMarket.start(
                ServiceSettings.embedded(folder)
                        .set("waybill.inbox.retry-delays", "50ms,50ms,50ms")
                        .set("order.timeout.job.enabled", "false")
                        .set("waybill.alerts.interval", "500ms")
                        .set("order.timeout.pending", "10s"),
                beans -> beans.registerBean(AlertSink.class, () -> new CollectedAlerts(alerts)));
        unpaid = market.newOrder();
    }

    /** Alerts, and that they are over. */
    private record CollectedAlerts(List<String> alerts) implements AlertSink {

        @Override
        public String name() {
            return "collected";
        }

        @Override
        public void tell(AlertNotice notice) {
            alerts.add(notice.kind() + " " + notice.key());
        }
    }

    @AfterAll
    void stop() {
        market.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(RunningMarket.PATIENCE);
    }

    @Test
    void anOrderGoesAllItsWay() {
        HttpReply order = market.newOrder();
        assertThat(order.data().propertyNames())
                .containsExactly(
                        "id",
                        "orderNo",
                        "buyerId",
                        "sellerId",
                        "productId",
                        "quantity",
                        "price",
                        "totalAmount",
                        "status",
                        "cancelReason",
                        "createTime",
                        "payTime",
                        "updateTime");
        assertThat(order.text("orderNo")).matches("[0-9]{18}");
        assertThat(market.move(order.id(), "pay").text("status")).isEqualTo("paid");
        soon().until(() -> market.get("/orders/" + order.id() + "/fulfillment").status() == 200);
        assertThat(market.move(order.id(), "ship").text("status")).isEqualTo("shipped");
        assertThat(market.get("/orders/" + order.id() + "/fulfillment").text("status"))
                .isEqualTo("shipped");
        assertThat(market.move(order.id(), "complete").text("status")).isEqualTo("completed");
        long buyer = order.data().path("buyerId").asLong();
        soon().until(() ->
                market.get("/users/" + buyer + "/notifications").data().size() == 2);
        String newest = "/users/" + buyer + "/notifications?size=1";
        long last = market.get(newest).data().get(0).path("id").asLong();
        assertThat(market.get(newest + "&before=" + last)
                        .data()
                        .get(0)
                        .path("id")
                        .asLong())
                .as("the page after the newest")
                .isLessThan(last);
        assertThat(market.projected(order.data().path("productId").asLong())).isEqualTo("sold");
    }

    @Test
    void anUnpaidOrderTimesOutByTheDelayQueue() {
        soon().untilAsserted(() -> assertThat(market.statusOf(unpaid.id())).isEqualTo("cancelled"));
        assertThat(market.get("/orders/" + unpaid.id()).text("cancelReason")).isEqualTo("timeout");
        assertThat(market.projected(unpaid.data().path("productId").asLong())).isEqualTo("on_sale");
    }

    @Test
    void whatAlreadyHappenedIsReturnedAndToldToNobodyAgain() {
        HttpReply order = market.newOrder();
        HttpReply paid = market.move(order.id(), "pay");
        soon().until(() -> market.get("/orders/" + order.id() + "/fulfillment").status() == 200);
        assertThat(market.move(order.id(), "pay").data()).isEqualTo(paid.data());
        assertThat(market.move(order.id(), "complete").code()).isEqualTo("STATE_INVALID");
        assertThat(market.move(order.id(), "cancel").code()).isEqualTo("STATE_INVALID");
        assertThat(market.count(
                        "SELECT COUNT(*) FROM outbox_events WHERE aggregate_id = ? AND event_type = 'ORDER_PAID'",
                        order.id()))
                .isEqualTo(1);
    }

    @Test
    void aCancelledOrderGivesItsProductBackAndCostsCreditOnce() {
        long product = market.newProduct();
        long buyer = RunningMarket.newBuyer();
        long order = market.order(buyer, product).id();
        HttpReply cancelled = market.move(order, "cancel");
        assertThat(cancelled.text("cancelReason")).isEqualTo("user");
        assertThat(market.move(order, "cancel").data()).isEqualTo(cancelled.data());
        assertThat(market.move(order, "pay").code()).isEqualTo("STATE_INVALID");
        assertThat(market.productStatus(product)).isEqualTo("on_sale");
        HttpReply credit = market.get("/users/" + buyer + "/credit");
        assertThat(credit.data().path("recomputed").asInt()).isEqualTo(1);
        assertThat(credit.data().path("score").asInt()).isEqualTo(95);
        assertThat(market.count("SELECT COUNT(*) FROM outbox_events WHERE aggregate_id = ?", order))
                .as("creating published two events, cancelling none")
                .isEqualTo(2);
        assertThat(market.order(RunningMarket.newBuyer(), product).code()).isEqualTo("00000");
    }

    @Test
    void aDeadLetterIsAlertedListedReplayedAndThenItIsOver() {
        HttpReply order = market.newOrder();
        market.update("ALTER TABLE fulfillments RENAME TO fulfillments_away");
        market.move(order.id(), "pay");
        soon().until(() -> market.get("/dead-letters").data().path("total").asInt() == 1);
        market.update("ALTER TABLE fulfillments_away RENAME TO fulfillments");
        soon().until(() -> alerts.contains("RAISED dead-letters"));
        long id = market.get("/dead-letters")
                .data()
                .path("letters")
                .get(0)
                .path("id")
                .asLong();
        assertThat(market.post("/dead-letters/" + id + "/replay").text("state")).isEqualTo("REPLAYED");
        soon().until(() -> market.get("/orders/" + order.id() + "/fulfillment").status() == 200);
        assertThat(market.get("/dead-letters").data().path("letters")).isEmpty();
        assertThat(market.get("/dead-letters?state=REPLAYED").data().path("letters"))
                .hasSize(1);
        soon().untilAsserted(() -> assertThat(alerts).containsExactly("RAISED dead-letters", "CLEARED dead-letters"));
    }

    @Test
    void theQueuesAreThereInTheProcessToo() {
        MemoryBroker broker = market.bean(MemoryBroker.class);
        assertThat(broker.depth("order.dlq.queue")).isZero();
        assertThat(broker.depth("inventory.update.queue")).isZero();
    }

    @Test
    void theOpenApiPageShowsEveryPath() {
        assertThat(market.get("/v3/api-docs").body().path("paths").propertyNames())
                .containsExactlyInAnyOrder(
                        "/products",
                        "/products/{id}",
                        "/products/{id}/inventory",
                        "/orders",
                        "/orders/{id}",
                        "/orders/{id}/pay",
                        "/orders/{id}/ship",
                        "/orders/{id}/complete",
                        "/orders/{id}/cancel",
                        "/orders/{id}/fulfillment",
                        "/users/{id}/notifications",
                        "/users/{id}/credit",
                        "/dead-letters",
                        "/dead-letters/{id}/replay");
    }
}
