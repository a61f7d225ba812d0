package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.flows.Http.Answer;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
    private static Shopper shopper;

    @BeforeAll
    static void services(MariaDb sql, Redis cache, RocketMq broker) {
        stack = RealStack.inThisProcess(sql, cache, broker);
        shopper = new Shopper(stack);
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    /** When a race's cancel comes. */
    private enum Moment {
        AT_ONCE,
        SOON,
        RESERVED_BUT_NOT_TOLD,
        TOLD
    }

    @Test
    void fiveHundredOrdersEndCanceledWithTheirStockBack() throws Exception {
        List<Long> skus =
                IntStream.range(0, SKUS).mapToObj(i -> stack.received(UNITS)).toList();
        ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<Answer>> races = new ArrayList<>();
            for (int i = 0; i < RACES; i++) {
                Random random = new Random(i);
                Moment moment = Moment.values()[i % Moment.values().length];
                races.add(callers.submit(() -> race(skus, moment, random)));
            }
            for (Future<Answer> race : races) {
                Answer canceled = race.get(2, TimeUnit.MINUTES);
                assertThat(canceled.code()).as(canceled.text()).isEqualTo("00000");
                assertThat(canceled.data().path("status").asString()).isEqualTo("CANCELED");
            }
        } finally {
            callers.shutdownNow();
        }

        await().atMost(Shopper.PATIENCE)
                .untilAsserted(() -> assertThat(
                                stack.countStock(
                                        "SELECT COUNT(*) FROM t_inventory_reservation WHERE status IN ('RELEASED', 'CANCELED')"))
                        .isEqualTo(RACES));
        for (long sku : skus) {
            shopper.awaitShelf(sku, UNITS, 0);
            shopper.awaitGateAgrees(sku, UNITS);
        }
        long reservedOnes = stack.countStock("SELECT COUNT(*) FROM t_inventory_reservation WHERE status = 'RELEASED'");
        await().atMost(Shopper.PATIENCE)
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

    private static Answer race(List<Long> skus, Moment moment, Random random) {
        String orderNo = shopper.order(Shopper.basket(Map.of(
                skus.get(random.nextInt(SKUS / 2)),
                1 + random.nextInt(3),
                skus.get(SKUS / 2 + random.nextInt(SKUS / 2)),
                1)));
        switch (moment) {
            case AT_ONCE -> {}
            case SOON -> LockSupport.parkNanos(random.nextLong(100_000_000));
            case RESERVED_BUT_NOT_TOLD ->
                poll(() -> !shopper.reservation(orderNo).isEmpty());
            case TOLD -> poll(() -> shopper.status(orderNo).equals("STOCK_RESERVED"));
        }
        return shopper.cancel(orderNo);
    }

    private static void poll(Callable<Boolean> seen) {
        await().pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(4))
                .atMost(Shopper.PATIENCE)
                .until(seen);
    }
}
