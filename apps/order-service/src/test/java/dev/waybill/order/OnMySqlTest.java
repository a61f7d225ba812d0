package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.MySql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.OrderFlowTopics;
import dev.waybill.servicetestkit.ServiceSettings;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The same tables and statements on MySQL, through MariaDB's driver. */
@Servers(Server.MYSQL)
class OnMySqlTest {

    @Test
    void ordersAreTakenOnceAndCanceledOnce(MySql mySql) {
        ServiceSettings settings = OrderFlowTopics.raiseOrderLimits(
                        ServiceSettings.onMySql(mySql, mySql.freshDatabase()))
                .set("waybill.guard.redis.uri", "redis://127.0.0.1:1") // nobody there: the unique key decides
                .set("waybill.broker", "memory");
        try (RunningOrders orders = RunningOrders.start(settings)) {
            String request = UUID.randomUUID().toString();
            List<HttpReply> replies = ConcurrentCalls.run(50, i -> orders.create(request, 10001));
            assertThat(replies).extracting(HttpReply::code).containsOnly("00000");
            assertThat(replies.stream().map(HttpReply::orderNo).distinct()).hasSize(1);
            String orderNo = replies.get(0).orderNo();
            assertThat(orders.get("/orders/" + orderNo).data())
                    .isEqualTo(replies.get(0).data());
            assertThat(ConcurrentCalls.run(50, i -> orders.cancel(orderNo)))
                    .extracting(HttpReply::dataStatus)
                    .containsOnly("CANCELED");
            assertThat(orders.events(orderNo, "ORDER_CANCELED")).isEqualTo(1);
        }
    }
}
