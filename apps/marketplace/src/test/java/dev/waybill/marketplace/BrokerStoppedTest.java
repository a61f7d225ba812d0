package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** RabbitMQ itself is stopped: orders are taken, unpaid ones end, and nothing of it is done twice when it is back. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@Tag("outage")
class BrokerStoppedTest {

    @Test
    void theJobClosesUnpaidOrdersAndPaidOnesAreFulfilledWhenTheBrokerIsBack(MariaDb mariaDb, RabbitMq rabbitMq)
            throws Exception {
        try (RealMarket real =
                RealMarket.start(mariaDb, rabbitMq, "order.timeout.pending=2s", "order.timeout.job.interval=100ms")) {
            RunningMarket market = real.service();
            rabbitMq.stop();
            HttpReply unpaid = market.newOrder();
            HttpReply paid = await().atMost(RunningMarket.PATIENCE)
                    .until(
                            () -> market.move(market.newOrder().id(), "pay"),
                            reply -> reply.code().equals("00000"));
            await().atMost(RunningMarket.PATIENCE)
                    .untilAsserted(
                            () -> assertThat(market.statusOf(unpaid.id())).isEqualTo("cancelled"));
            assertThat(market.productStatus(unpaid.data().path("productId").asLong()))
                    .isEqualTo("on_sale");
            rabbitMq.start();

            for (HttpReply order : new HttpReply[] {unpaid, paid}) {
                await().atMost(RunningMarket.PATIENCE)
                        .until(() -> market.consumed(market.eventId(order.id(), "ORDER_TIMEOUT")));
            }
            await().atMost(RunningMarket.PATIENCE)
                    .until(() -> market.consumed(market.eventId(paid.id(), "ORDER_PAID")));
            assertThat(market.statusOf(paid.id())).isEqualTo("paid");
            assertThat(market.get("/orders/" + paid.id() + "/fulfillment").code())
                    .isEqualTo("00000");
            HttpReply credit =
                    market.get("/users/" + unpaid.data().path("buyerId").asLong() + "/credit");
            assertThat(credit.data().path("recomputed").asInt()).isEqualTo(1);
            assertThat(credit.data().path("timeoutOrders").asInt()).isEqualTo(1);
            assertThat(real.alerts()).noneMatch(alert -> alert.startsWith("outbox-dead"));
        }
    }
}
