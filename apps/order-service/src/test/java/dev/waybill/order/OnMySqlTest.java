package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.Reply;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.order.running.Together;
import dev.waybill.servers.Database;
import dev.waybill.servers.MySql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The same tables and statements on MySQL, through MariaDB's driver. */
@Servers(Server.MYSQL)
class OnMySqlTest {

    @Test
    void ordersAreTakenOnceAndCanceledOnce(MySql mySql) throws Exception {
        Database database = mySql.freshDatabase();
        Map<String, String> settings = RealOrders.onMariaDb(database);
        settings.put(
                "spring.datasource.url",
                "jdbc:mariadb://" + mySql.host() + ":" + mySql.port() + "/" + database.name()
                        + "?allowPublicKeyRetrieval=true");
        settings.put("waybill.guard.redis.uri", "redis://127.0.0.1:1"); // nobody there: the unique key decides
        settings.put("waybill.broker", "memory");
        try (RunningOrders orders = RunningOrders.start(settings)) {
            String request = UUID.randomUUID().toString();
            List<Reply> replies = Together.run(50, i -> orders.create(request, 10001));
            assertThat(replies).extracting(Reply::code).containsOnly("00000");
            assertThat(replies.stream().map(Reply::orderNo).distinct()).hasSize(1);
            String orderNo = replies.get(0).orderNo();
            assertThat(orders.get("/orders/" + orderNo).data())
                    .isEqualTo(replies.get(0).data());
            assertThat(Together.run(50, i -> orders.cancel(orderNo)))
                    .extracting(Reply::orderStatus)
                    .containsOnly("CANCELED");
            assertThat(orders.events(orderNo, "ORDER_CANCELED")).isEqualTo(1);
        }
    }
}
