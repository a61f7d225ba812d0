package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.flows.Supervised.Death;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.load.OrderLoad;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/**
 * Orders flow while each service dies at every place that has a name, Redis forgets everything and the broker is killed: in
 * the end every order rests where it may, and every unit of stock is accounted for.
 */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
@Tag("kill")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KilledEverywhereTest {

    private static final int ORDERS = 5_000;
    private static final int ORDERS_A_SECOND = 60;

    @Test
    void theAuditIsCleanAfterEveryDeath(MariaDb sql, Redis redis, RocketMq broker) throws InterruptedException {
        try (RealStack stack = RealStack.settings(sql, redis, broker);
                Supervised inventory = new Supervised(
                        "inventory",
                        stack.inventorySettings,
                        deaths(dev.waybill.inventory.domain.InventoryCheckpoints.Place.values()));
                Supervised orders = new Supervised(
                        "order",
                        stack.orderSettings,
                        deaths(dev.waybill.order.domain.OrderCheckpoints.Place.values()))) {
            inventory.begin();
            orders.begin();
            Load load = new Load(stack);
            load.start();
            await().atMost(Duration.ofMinutes(5))
                    .until(() -> load.failed()
                            || inventory.fired().size() + orders.fired().size() >= 8);
            stack.flushRedis();
            System.out.println("[redis] flushed");
            await().atMost(Duration.ofMinutes(5))
                    .until(() -> load.failed()
                            || inventory.fired().size() + orders.fired().size() >= 16);
            broker.kill();
            broker.start();
            System.out.println("[rocketmq] killed and started");
            await().atMost(Duration.ofMinutes(9)).until(() -> load.failed() || (inventory.calm() && orders.calm()));
            load.enough();
            load.join(Duration.ofMinutes(5).toMillis());

            System.out.println("[inventory] died at " + inventory.fired());
            System.out.println("[order] died at " + orders.fired());
            assertThat(load.audits).isNotEmpty().allMatch(status -> status == 0);
            assertThat(load.ordered.get()).isGreaterThanOrEqualTo(ORDERS);
        }
    }

    /**
     * The service's own places, then the engine's in the order in which an event passes them, but for one: a process that dies
     * right after a commit is sure to leave a row for the next one to claim, so that death comes last before the claim's.
     */
    private static List<Death> deaths(Enum<?>[] ownPlaces) {
        List<Death> deaths = new ArrayList<>();
        Stream.of(ownPlaces)
                .sorted(Comparator.comparing(place -> !place.name().startsWith("RECEIPT"))) // goods come before orders
                .forEach(place -> deaths.add(Death.of(place, 5)));
        for (Checkpoints.Place place : Checkpoints.Place.values()) {
            switch (place) {
                case COMMITTED -> {}
                case CLAIMED -> {
                    deaths.add(Death.of(Checkpoints.Place.COMMITTED, 10));
                    deaths.add(Death.of(place, 1));
                }
                case SETTLING, SETTLED -> deaths.add(Death.of(place, 2));
                default -> deaths.add(Death.of(place, 10));
            }
        }
        return deaths;
    }

    /** Orders without end, a round at a time, each round audited. */
    private static final class Load extends Thread {

        final List<Integer> audits = new CopyOnWriteArrayList<>();
        private final AtomicInteger ordered = new AtomicInteger();
        private final RealStack stack;
        private volatile boolean enough;

        Load(RealStack stack) {
            super("load");
            this.stack = stack;
        }

        boolean failed() {
            return audits.stream().anyMatch(status -> status != 0);
        }

        void enough() {
            enough = true;
        }

        @Override
        public void run() {
            int round = ORDERS / 2;
            while (!failed() && (ordered.get() < ORDERS || !enough)) {
                int status = new CommandLine(new OrderLoad())
                        .execute(
                                "--orders=" + round,
                                "--rate=" + ORDERS_A_SECOND,
                                "--threads=16",
                                "--patience=180",
                                "--order-service=http://127.0.0.1:" + stack.orders.port(),
                                "--inventory-service=http://127.0.0.1:" + stack.inventory.port());
                audits.add(status);
                ordered.addAndGet(round);
                round = 300;
            }
        }
    }
}
