package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.HttpReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Cancels around the moment of the reservation, with the real inventory on the other side. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
class CancelRaceOnTheStackTest {

    private static final int RACES = 500;
    private static final int AT_ONCE = 16;
    private static final int SKUS = 20;
    private static final int UNITS = 2_000; // enough for all, so that no order fails for want of stock
    private static final String CANCELED_FROM =
            "SELECT COUNT(*) FROM t_order_state_flow WHERE event = 'CANCEL' AND from_status = ?";

    private static RealStack stack;
    private static OrderFlowClient client;

    @BeforeAll
    static void services(MariaDb sql, Redis cache, RocketMq broker) {
        stack = RealStack.inThisProcess(sql, cache, broker);
        client = new OrderFlowClient(stack);
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    /** When a race's cancel comes. */
    private enum Moment {
        AT_ONCE,
        SOON,
        RESERVED_BUT_NOT_REPORTED,
        REPORTED
    }

    @Test
    void fiveHundredOrdersEndCanceledWithTheirStockBack() {
        List<Long> skus =
                IntStream.range(0, SKUS).mapToObj(i -> stack.received(UNITS)).toList();
        assertThat(ConcurrentCalls.run(
                        RACES, AT_ONCE, i -> race(skus, Moment.values()[i % Moment.values().length], new Random(i))))
                .allSatisfy(canceled -> {
                    assertThat(canceled.code()).as(canceled.body().toString()).isEqualTo("00000");
                    assertThat(canceled.dataStatus()).isEqualTo("CANCELED");
                });

        await().atMost(OrderFlowClient.PATIENCE)
                .untilAsserted(() -> assertThat(
                                stack.countStock(
                                        "SELECT COUNT(*) FROM t_inventory_reservation WHERE status IN ('RELEASED', 'CANCELED')"))
                        .isEqualTo(RACES));
        for (long sku : skus) {
            client.awaitStock(sku, UNITS, 0);
            client.awaitGateAgrees(sku, UNITS);
        }
        long reservedOnes = stack.countStock("SELECT COUNT(*) FROM t_inventory_reservation WHERE status = 'RELEASED'");
        await().atMost(OrderFlowClient.PATIENCE)
                .untilAsserted(() -> assertThat(stack.countOrders(
                                "SELECT COUNT(*) FROM t_order_state_flow WHERE event = 'STOCK_RESERVED'"))
                        .isEqualTo(reservedOnes));
        assertThat(stack.countOrders("SELECT COUNT(*) FROM t_order WHERE status = 'CANCELED'"))
                .isEqualTo(RACES);
        long early = stack.countOrders(CANCELED_FROM, "CREATED");
        long late = stack.countOrders(CANCELED_FROM, "STOCK_RESERVED");
        long crossed = stack.countOrders(
                "SELECT COUNT(*) FROM t_order_state_flow WHERE event = 'STOCK_RESERVED' AND ignored_reason IS NOT NULL");
        System.out.printf("canceled from CREATED %d, from STOCK_RESERVED %d, crossed %d%n", early, late, crossed);
        assertThat(early + late).isEqualTo(RACES);
        assertThat(late).isGreaterThanOrEqualTo(RACES / Moment.values().length);
        assertThat(crossed)
                .as("StockReserved came for an order that was canceled meanwhile")
                .isPositive();
    }

    private static HttpReply race(List<Long> skus, Moment moment, Random random) {
        String orderNo = client.order(OrderFlowClient.basket(Map.of(
                skus.get(random.nextInt(SKUS / 2)),
                1 + random.nextInt(3),
                skus.get(SKUS / 2 + random.nextInt(SKUS / 2)),
                1)));
        switch (moment) {
            case AT_ONCE -> {}
            case SOON -> LockSupport.parkNanos(random.nextLong(100_000_000));
            case RESERVED_BUT_NOT_REPORTED ->
                poll(() -> !client.reservation(orderNo).isEmpty());
            case REPORTED -> poll(() -> client.status(orderNo).equals("STOCK_RESERVED"));
        }
        return client.cancel(orderNo);
    }

    private static void poll(Callable<Boolean> seen) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(4))
                .atMost(OrderFlowClient.PATIENCE)
                .until(seen);
    }
}
