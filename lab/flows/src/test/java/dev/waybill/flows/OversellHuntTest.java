package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ConcurrentCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Too many callers for the last units, over HTTP, while the reconciler compares twenty times a second. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
class OversellHuntTest {

    private static final int CALLERS = 64;
    private static final int UNITS = 100;

    private static RealStack stack;
    private static OrderFlowClient client;

    @BeforeAll
    static void services(MariaDb sql, Redis cache, RocketMq broker) {
        stack = RealStack.inThisProcess(sql, cache, broker, "--inventory.reconcile.interval=50ms");
        client = new OrderFlowClient(stack);
    }

    @AfterAll
    static void stop() {
        stack.close();
    }

    @Test
    void exactlyWhatExistsIsSold() throws Exception {
        List<Long> skus =
                IntStream.range(0, 3).mapToObj(i -> stack.received(UNITS)).toList();
        AtomicInteger ordered = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<StockWatch> watch = CompletableFuture.supplyAsync(() -> StockWatch.until(over, skus));
        try {
            ConcurrentCalls.run(CALLERS, caller -> {
                for (String basket : baskets(skus, caller)) {
                    client.order(basket);
                    ordered.incrementAndGet();
                }
                return caller;
            });
            await().atMost(OrderFlowClient.PATIENCE.multipliedBy(2))
                    .untilAsserted(() -> assertThat(stack.countOrders(
                                    "SELECT COUNT(*) FROM t_order WHERE status IN ('STOCK_RESERVED', 'STOCK_FAILED')"))
                            .isEqualTo(ordered.get()));
            over.set(true);
            StockWatch seen = watch.get(1, TimeUnit.MINUTES);
            assertThat(seen.looks).isGreaterThan(10);
            assertThat(seen.lowest)
                    .as("lowest stock seen in %d looks", seen.looks)
                    .isNotNegative();
        } finally {
            over.set(true);
        }

        for (long sku : skus) {
            assertThat(sold(sku)).as("sold of %d", sku).isEqualTo(UNITS);
            client.awaitStock(sku, 0, UNITS);
            client.awaitGateAgrees(sku, 0);
            assertThat(stack.countStock(
                            "SELECT MIN(available_after) FROM t_inventory_txn WHERE sku_id = ?", String.valueOf(sku)))
                    .isZero();
        }
    }

    /** By the orders that their callers see as reserved. */
    private static long sold(long sku) {
        return stack.countOrders(
                "SELECT SUM(i.quantity) FROM t_order_item i JOIN t_order o ON o.order_no = i.order_no"
                        + " WHERE o.status = 'STOCK_RESERVED' AND i.sku_id = ?",
                String.valueOf(sku));
    }

    /** Overlapping baskets, then single units: more of each article than there is, so that in the end nothing is left. */
    private static List<String> baskets(List<Long> skus, int caller) {
        Random random = new Random(caller);
        List<String> baskets = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            baskets.add(OrderFlowClient.basket(Map.of(
                    skus.get((caller + i) % 3), 1 + random.nextInt(3),
                    skus.get((caller + i + 2) % 3), 1 + random.nextInt(3))));
        }
        for (int i = 0; i < 6; i++) {
            baskets.add(OrderFlowClient.basket(skus.get(i % 3), 1));
        }
        return baskets;
    }

    /** The lowest stock that was read, over HTTP and in the database, until the callers were done. */
    private record StockWatch(int looks, long lowest) {

        static StockWatch until(AtomicBoolean over, List<Long> skus) {
            int looks = 0;
            long lowest = Long.MAX_VALUE;
            while (!over.get()) {
                for (long sku : skus) {
                    lowest = Math.min(lowest, client.available(sku));
                }
                lowest = Math.min(lowest, stack.countStock("SELECT MIN(available) FROM t_inventory"));
                looks++;
            }
            return new StockWatch(looks, lowest);
        }
    }
}
