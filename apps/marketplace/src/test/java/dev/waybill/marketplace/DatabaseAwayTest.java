package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.Reply;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The database goes away and comes back. */
@Servers(Server.MARIADB)
class DatabaseAwayTest {

    @Test
    void callersAreToldAndTheSameRequestSucceedsAfterwards(MariaDb mariaDb) {
        Database database = mariaDb.freshDatabase();
        try (FaultProxy proxy = FaultProxy.to(mariaDb)) {
            Map<String, String> settings = new HashMap<>(RealMarket.onMariaDb(database));
            settings.put("spring.datasource.url", mariaDb.jdbcUrl(proxy.host(), proxy.port(), database.name()));
            settings.put("spring.datasource.hikari.connection-timeout", "1000");
            settings.put("waybill.broker", "memory");
            try (RunningMarket market = RunningMarket.start(settings)) {
                long product = market.newProduct();
                long order = market.newOrder().id();
                long buyer = RunningMarket.newBuyer();
                proxy.refuse();
                assertAway(market.order(buyer, product));
                assertAway(market.move(order, "pay"));
                assertAway(market.get("/orders/" + order));
                assertAway(market.get("/dead-letters"));
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

    private static void assertAway(Reply reply) {
        assertThat(reply.code()).isEqualTo("C0001");
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.body().toString()).doesNotContain("Exception", "jdbc");
    }
}
