package dev.waybill.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.order.running.RealOrders;
import dev.waybill.order.running.RunningOrders;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.OrderStep;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Cancel against StockReserved: whoever comes first, the order ends up canceled. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CancelRaceTest {

    private static final int RACES = 500;
    private static final int AT_ONCE = 8;

    private RealOrders real;
    private RunningOrders orders;

    @BeforeAll
    void start(MariaDb mariaDb, Redis redis, RocketMq rocketMq) {
        real = RealOrders.start(mariaDb, redis, rocketMq);
        orders = real.service();
    }

    @AfterAll
    void stop() {
        real.close();
    }

    @Test
    void fiveHundredRacesEndCanceledAndEachTellsOthersOnce() {
        assertThat(ConcurrentCalls.run(RACES, AT_ONCE, i -> race(i % 5 == 0))).allSatisfy(canceled -> {
            assertThat(canceled.code()).isEqualTo("00000");
            assertThat(canceled.dataStatus()).isEqualTo("CANCELED");
        });
        await().atMost(RealOrders.PATIENCE)
                .untilAsserted(() -> assertThat(orders.count(
                                "SELECT COUNT(*) FROM t_mq_consume_log WHERE status IN ('SUCCESS', 'IGNORED')"))
                        .isEqualTo(RACES));
        assertThat(orders.count("SELECT COUNT(*) FROM t_order WHERE status = 'CANCELED'"))
                .isEqualTo(RACES);
        assertThat(orders.rows("SELECT biz_key FROM t_outbox_event WHERE tag = 'ORDER_CANCELED' GROUP BY biz_key"
                        + " HAVING COUNT(*) = 1"))
                .hasSize(RACES);
        long after = canceledFrom("STOCK_RESERVED");
        assertThat(after).isGreaterThanOrEqualTo(RACES / 5);
        assertThat(after + canceledFrom("CREATED")).isEqualTo(RACES);
        assertThat(orders.count("SELECT COUNT(*) FROM t_order_state_flow WHERE event = 'STOCK_RESERVED'"))
                .isEqualTo(RACES);
    }

    private long canceledFrom(String status) {
        return orders.count(
                "SELECT COUNT(*) FROM t_order_state_flow WHERE event = 'CANCEL' AND from_status = ?", status);
    }

    /** A race; one that the cancel is sure to lose between its read and its write, or an open one. */
    private HttpReply race(boolean loses) {
        String orderNo = orders.newOrder();
        if (loses) {
            real.interruptions().at(OrderStep.CANCEL_READ, orderNo, () -> {
                real.reserved(orderNo);
                await().atMost(RealOrders.PATIENCE)
                        .until(() -> orders.statusOf(orderNo).equals("STOCK_RESERVED"));
            });
        } else {
            real.reserved(orderNo);
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(20_000_000)); // vary who is first
        }
        return orders.cancel(orderNo);
    }
}
