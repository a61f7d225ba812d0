package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servicetestkit.ServiceSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The default profile keeps what its broker has not delivered. */
class RestartTest {

    @Test
    void whatWasSentAndNotConsumedTakesEffectAfterARestart(@TempDir Path folder) {
        ServiceSettings settings = ServiceSettings.embedded(folder);
        long order;
        long product;
        long shipped;
        try (RunningMarket market = RunningMarket.start(settings.copy().set("waybill.inbox.enabled", "false"))) {
            product = market.newProduct();
            order = market.order(RunningMarket.newBuyer(), product).id();
            market.move(order, "pay");
            shipped = market.newOrder().id();
            market.move(shipped, "pay");
            market.move(shipped, "ship");
            await().atMost(RunningMarket.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(market.outbox(order, "ORDER_PAID")).isEqualTo("SENT"));
            assertThat(market.projected(product)).isEqualTo("on_sale");
            assertThat(market.get("/dead-letters").code()).isEqualTo("NOT_FOUND"); // nobody consumes here
        }
        try (RunningMarket market = RunningMarket.start(settings)) {
            await().atMost(RunningMarket.PATIENCE)
                    .until(() -> market.get("/orders/" + order + "/fulfillment").status() == 200);
            await().atMost(RunningMarket.PATIENCE)
                    .untilAsserted(() -> assertThat(market.projected(product)).isEqualTo("sold"));
            assertThat(market.statusOf(order)).isEqualTo("paid");
            assertThat(market.get("/orders/" + order + "/fulfillment").text("status"))
                    .isEqualTo("started");
            await().atMost(RunningMarket.PATIENCE)
                    .untilAsserted(() -> assertThat(market.get("/orders/" + shipped + "/fulfillment")
                                    .text("status"))
                            .as("shipped before the event of its payment arrived")
                            .isEqualTo("shipped"));
        }
    }
}
