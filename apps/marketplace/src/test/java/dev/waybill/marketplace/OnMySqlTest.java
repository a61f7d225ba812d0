package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.FrozenTables;
import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servers.MySql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.ServiceSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same tables and statements on MySQL, through MariaDB's driver. */
@Servers(Server.MYSQL)
class OnMySqlTest {

    @Test
    void aProductIsSoldOnceAndAnUnpaidOrderTimesOut(MySql mySql) {
        ServiceSettings settings = ServiceSettings.onMySql(mySql, mySql.freshDatabase())
                .set("spring.datasource.hikari.connection-timeout", "30000")
                .set("waybill.broker", "memory")
                .set("order.timeout.pending", "2s")
                .set("order.timeout.job.interval", "100ms");
        try (RunningMarket market = RunningMarket.start(settings)) {
            FrozenTables.assertIn(market);
            long product = market.newProduct();
            List<HttpReply> replies = ConcurrentCalls.run(50, i -> market.order(RunningMarket.newBuyer(), product));
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
