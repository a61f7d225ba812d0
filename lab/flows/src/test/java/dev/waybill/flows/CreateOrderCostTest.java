package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.order.OrderApplication;
import dev.waybill.servers.CpuMeter;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.BeanAdvice;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What guards and outbox cost an order: the same handler with and without them, in turns, every commit on disk. A measure, run
 * by {@code ./dev bench-orders} and not with the tests.
 */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
@Tag("bench")
class CreateOrderCostTest {

    private static final int ROUNDS = 7;

    /** As many as it takes until the compiler has little left to do, which would count against the one with more code. */
    private static final int WARM_ROUNDS = 40;

    private static final int REQUESTS = 600;
    private static final int CALLERS = 8;

    @Test
    void theWholeStackTakesAtLeastSixTenthsOfTheBareHandlersOrders(MariaDb sql, Redis redis, RocketMq broker)
            throws SQLException, InterruptedException {
        setSyncBinlog(sql, 1);
        RealStack whole = RealStack.settings(sql, redis, broker);
        RealStack bare = RealStack.settings(sql, redis, broker);
        try (RunningService one = new RunningService(OrderApplication.application(), whole.orderSettings);
                RunningService other = withoutGuardsAndOutbox(bare)) {
            assertThat(List.of(one.port(), other.port())).containsExactly(whole.orders.port(), bare.orders.port());
            Callers ofWhole = new Callers(asUser(one), new CpuMeter(sql, redis, broker));
            Callers ofBare = new Callers(asUser(other), new CpuMeter(sql, redis, broker));
            for (int i = 0; i < WARM_ROUNDS; i++) {
                ofWhole.round();
                ofBare.round();
            }
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < ROUNDS; i++) {
                double with = ofWhole.round();
                double without = ofBare.round();
                ratios.add(with / without);
                System.out.printf(Locale.ROOT, "[create order] %.0f/s whole, %.0f/s bare%n", with, without);
            }
            System.out.printf(
                    Locale.ROOT,
                    "[create order] CPU ms for 1,000 orders, this process + MariaDB + Redis + RocketMQ: "
                            + "%s whole, %s bare; bare / whole: %.2f%n",
                    ofWhole.cost().perThousand(REQUESTS),
                    ofBare.cost().perThousand(REQUESTS),
                    ofBare.cost().sum() / ofWhole.cost().sum());
            ratios.sort(null);
            double ratio = ratios.get(ROUNDS / 2);
            System.out.printf(
                    Locale.ROOT,
                    "[create order] whole stack / bare handler: %.2f (median of %d rounds); 429: %d, errors: %d%n",
                    ratio,
                    ROUNDS,
                    ofWhole.throttled.get() + ofBare.throttled.get(),
                    ofWhole.errors.get() + ofBare.errors.get());
            assertThat(ofWhole.throttled.get() + ofBare.throttled.get()).isZero();
            assertThat(ofWhole.errors.get() + ofBare.errors.get()).isZero();
            assertThat(ratio).isGreaterThanOrEqualTo(0.6);
        } finally {
            setSyncBinlog(sql, 0);
        }
    }

    private static HttpCalls asUser(RunningService service) {
        return service.with(BearerTokens.OF_TESTS.user(RealStack.USER));
    }

    private static RunningService withoutGuardsAndOutbox(RealStack stack) {
        return new RunningService(
                OrderApplication.application(),
                stack.orderSettings.change(
                        "spring.autoconfigure.exclude=dev.waybill.guard.boot.GuardAutoConfiguration",
                        "waybill.relay.enabled=false",
                        "waybill.inbox.enabled=false"),
                // Order, items and flow are still written; no event is published.
                beans -> BeanAdvice.around(
                        beans,
                        "OrderEventPublisher",
                        "publish",
                        call -> UUID.randomUUID().toString()));
    }

    private static void setSyncBinlog(MariaDb sql, int every) throws SQLException {
        try (Connection connection = sql.adminConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("SET GLOBAL sync_binlog = " + every);
        }
    }

    /** Eight callers who create orders as fast as they are answered. */
    private static final class Callers {

        final AtomicInteger throttled = new AtomicInteger();
        final AtomicInteger errors = new AtomicInteger();
        private final HttpCalls service;

        private final CpuMeter meter;
        private final List<CpuMeter.Reading> costs = new ArrayList<>();

        Callers(HttpCalls service, CpuMeter meter) {
            this.service = service;
            this.meter = meter;
        }

        /** The median of the rounds after the warm ones. */
        CpuMeter.Reading cost() {
            List<CpuMeter.Reading> counted = new ArrayList<>(costs.subList(WARM_ROUNDS, costs.size()));
            counted.sort(Comparator.comparingDouble(CpuMeter.Reading::sum));
            return counted.get(counted.size() / 2);
        }

        /** Orders per second. */
        double round() throws InterruptedException {
            AtomicInteger begun = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(CALLERS);
            CpuMeter.Reading before = meter.read();
            long start = System.nanoTime();
            for (int i = 0; i < CALLERS; i++) {
                new Thread(() -> {
                            while (begun.incrementAndGet() <= REQUESTS) {
                                call();
                            }
                            done.countDown();
                        })
                        .start();
            }
            done.await();
            double rate = REQUESTS * 1e9 / (System.nanoTime() - start);
            costs.add(meter.read().minus(before));
            return rate;
        }

        private void call() {
            HttpReply answer = service.post(
                    "/orders",
                    "{\"clientRequestId\":\"" + UUID.randomUUID()
                            + "\",\"userId\":7,\"items\":[{\"skuId\":\"1001\",\"quantity\":2,\"price\":12.50},"
                            + "{\"skuId\":\"1002\",\"quantity\":1,\"price\":3.20}]}");
            if (answer.status() == 429) {
                throttled.incrementAndGet();
            } else if (answer.status() != 200) {
                errors.incrementAndGet();
            }
        }
    }
}
