package dev.waybill.marketplace;

import static dev.waybill.servicetestkit.ReplyAssertions.assertUnavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ServiceSettings;
import org.junit.jupiter.api.Test;

/** The database goes away and comes back. */
@Servers(Server.MARIADB)
class DatabaseAwayTest {

    @Test
    void callersAreToldAndTheSameRequestSucceedsAfterwards(MariaDb mariaDb) {
        Database database = mariaDb.freshDatabase();
        try (FaultProxy proxy = FaultProxy.to(mariaDb)) {
            ServiceSettings settings = ServiceSettings.onDatabase(database)
                    .set("spring.datasource.url", mariaDb.jdbcUrl(proxy.host(), proxy.port(), database.name()))
                    .set("spring.datasource.hikari.connection-timeout", "1000")
                    .set("waybill.broker", "memory");
            try (RunningMarket market = RunningMarket.start(settings)) {
                long product = market.newProduct();
                long order = market.newOrder().id();
                long buyer = RunningMarket.newBuyer();
                proxy.refuse();
                assertUnavailable(market.order(buyer, product));
                assertUnavailable(market.move(order, "pay"));
                assertUnavailable(market.get("/orders/" + order));
                assertUnavailable(market.get("/dead-letters"));
                proxy.heal();
                await().atMost(RunningMarket.PATIENCE)
                        .untilAsserted(() ->
                                assertThat(market.order(buyer, product).code()).isEqualTo("00000"));
                assertThat(market.move(order, "pay").text("status")).isEqualTo("paid");
                await().atMost(RunningMarket.PATIENCE)
                        .until(() ->
                                market.get("/orders/" + order + "/fulfillment").status() == 200);
            }
        }
    }
}
