package dev.waybill.order;

import static dev.waybill.servicetestkit.ReplyAssertions.assertUnavailable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ServiceSettings;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The database goes away and comes back. */
@Servers(Server.MARIADB)
class DatabaseAwayTest {

    @Test
    void callersAreToldAndTheSameRequestSucceedsAfterwards(MariaDb mariaDb) {
        Database database = mariaDb.freshDatabase();
        try (FaultProxy proxy = FaultProxy.to(mariaDb)) {
            ServiceSettings settings = RealOrders.onDatabase(database)
                    .set("spring.datasource.url", mariaDb.jdbcUrl(proxy.host(), proxy.port(), database.name()))
                    .set("spring.datasource.hikari.connection-timeout", "1000")
                    .set("waybill.guard.redis.uri", "redis://127.0.0.1:1") // away as well
                    .set("waybill.broker", "memory");
            try (RunningOrders orders = RunningOrders.start(settings)) {
                String orderNo = orders.newOrder();
                String request = UUID.randomUUID().toString();
                proxy.refuse();
                assertUnavailable(orders.create(request, 10001));
                assertUnavailable(orders.cancel(orderNo));
                assertUnavailable(orders.get("/orders/" + orderNo));
                proxy.heal();
                await().atMost(RealOrders.PATIENCE)
                        .untilAsserted(() ->
                                assertThat(orders.create(request, 10001).code()).isEqualTo("00000"));
                assertThat(orders.cancel(orderNo).dataStatus()).isEqualTo("CANCELED");
            }
        }
    }
}
