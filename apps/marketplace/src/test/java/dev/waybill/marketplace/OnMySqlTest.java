package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RealMarket;
import dev.waybill.marketplace.running.Reply;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.marketplace.running.Together;
import dev.waybill.servers.Database;
import dev.waybill.servers.MySql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The same tables and statements on MySQL, through MariaDB's driver. */
@Servers(Server.MYSQL)
class OnMySqlTest {

    @Test
    void aProductIsSoldOnceAndAnUnpaidOrderTimesOut(MySql mySql) throws Exception {
        Database database = mySql.freshDatabase();
        Map<String, String> settings = new HashMap<>(RealMarket.onMariaDb(database));
        settings.put(
                "spring.datasource.url",
                "jdbc:mariadb://" + mySql.host() + ":" + mySql.port() + "/" + database.name()
                        + "?allowPublicKeyRetrieval=true");
        settings.put("spring.datasource.hikari.connection-timeout", "30000");
        settings.put("waybill.broker", "memory");
        settings.put("order.timeout.pending", "2s");
        settings.put("order.timeout.job.interval", "100ms");
        try (RunningMarket market = RunningMarket.start(settings)) {
            long product = market.newProduct();
            List<Reply> replies = Together.run(50, i -> market.order(RunningMarket.newBuyer(), product));
            assertThat(replies)
                    .filteredOn(reply -> reply.code().equals("00000"))
                    .hasSizeGreaterThanOrEqualTo(1); // more where the first has timed out meanwhile
            assertThat(market.rows("SELECT product_id FROM orders WHERE status <> 'cancelled'"
                            + " GROUP BY product_id HAVING COUNT(*) > 1"))
                    .isEmpty();
            await().atMost(RunningMarket.PATIENCE).untilAsserted(() -> {
                assertThat(market.count("SELECT COUNT(*) FROM orders WHERE status = 'pending'"))
                        .isZero();
                assertThat(market.projected(product)).isEqualTo("on_sale");
            });
        }
    }
}
