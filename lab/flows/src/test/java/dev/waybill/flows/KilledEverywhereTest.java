package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.flows.RestartedService.Crash;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.load.OrderLoad;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.InventorySteps.Place;
import dev.waybill.servicetestkit.OrderStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/**
 * Orders flow while each service crashes at every named place, Redis is flushed and the broker is killed: in the end every
 * order is in a final state, and every unit of stock is accounted for.
 */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ})
@Tag("kill")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KilledEverywhereTest {

    private static final int ORDERS = Scenario.length(5_000, 1_500);
    private static final int ORDERS_A_SECOND = 60;

    /**
     * Where the inventory crashes when shortened. Of places between which nothing is written down, neither in a table nor in Redis
     * nor at a broker, one stands for all: a crash leaves the same behind.
     */
    private static final Set<Enum<?>> OF_INVENTORY = Set.of(
            Place.RECEIPT_COMMITTED,
            Place.DB_WRITTEN,
            Place.DB_COMMITTED,
            Place.GATE_SETTLED,
            Place.RELEASE_COMMITTED,
            Checkpoints.Place.HANDED_OFF,
            Checkpoints.Place.SENT_OFF,
            Checkpoints.Place.CONSUMED);

    private static final Set<Enum<?>> OF_ORDERS = Set.of(
            OrderStep.CREATE_WRITTEN,
            OrderStep.CREATE_COMMITTED,
            OrderStep.CANCEL_WRITTEN,
            OrderStep.CANCEL_COMMITTED,
            OrderStep.STOCK_WRITTEN,
            Checkpoints.Place.CLAIMED, // and what was committed just before
            Checkpoints.Place.SETTLED);

    @Test
    void theAuditIsCleanAfterEveryCrash(MariaDb sql, Redis redis, RocketMq broker) throws InterruptedException {
        try (RealStack stack = RealStack.settings(sql, redis, broker);
                RestartedService inventory = new RestartedService(
                        "inventory", stack.inventorySettings, crashes(Place.values(), OF_INVENTORY));
                RestartedService orders =
                        new RestartedService("order", stack.orderSettings, crashes(OrderStep.values(), OF_ORDERS))) {
            inventory.begin();
            orders.begin();
            Load load = new Load(stack);
            load.start();
            await().atMost(Duration.ofMinutes(5))
                    .until(() -> load.failed()
                            || inventory.crashed().size() + orders.crashed().size() >= Scenario.length(8, 4));
            stack.flushRedis();
            System.out.println("[redis] flushed");
            await().atMost(Duration.ofMinutes(5))
                    .until(() -> load.failed()
                            || inventory.crashed().size() + orders.crashed().size() >= Scenario.length(16, 8));
            broker.kill();
            broker.start();
            System.out.println("[rocketmq] killed and started");
            await().atMost(Duration.ofMinutes(9))
                    .until(() -> load.failed() || (inventory.crashedEverywhere() && orders.crashedEverywhere()));
            load.enough();
            load.join(Duration.ofMinutes(5).toMillis());

            Scenario.print("[inventory] crashed at " + inventory.crashed());
            Scenario.print("[order] crashed at " + orders.crashed());
            assertThat(load.audits).isNotEmpty().allMatch(status -> status == 0);
            assertThat(load.ordered.get()).isGreaterThanOrEqualTo(ORDERS);
        }
    }

    /**
     * The service's own places, then the engine's in the order in which an event reaches them, but for one: a process that
     * crashes right after a commit always leaves a row for the next one to claim, so that crash comes just before the claim's.
     * At full length both services crash at all of them, shortened at those that are theirs.
     */
    private static List<Crash> crashes(Enum<?>[] ownPlaces, Set<Enum<?>> shortened) {
        Predicate<Enum<?>> chosen = place -> Scenario.isWhole() || shortened.contains(place);
        List<Crash> crashes = new ArrayList<>();
        Stream.of(ownPlaces)
                .filter(chosen)
                .sorted(Comparator.comparing(place -> !place.name().startsWith("RECEIPT"))) // goods come before orders
                .forEach(place -> crashes.add(Crash.of(place, 5)));
        Stream.of(Checkpoints.Place.values()).filter(chosen).forEach(place -> {
            switch (place) {
                case COMMITTED -> {}
                case CLAIMED -> {
                    crashes.add(Crash.of(Checkpoints.Place.COMMITTED, 10));
                    crashes.add(Crash.of(place, 1));
                }
                case SETTLING, SETTLED -> crashes.add(Crash.of(place, 2));
                default -> crashes.add(Crash.of(place, 10));
            }
        });
        return crashes;
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
                                "--jwt-secret=" + BearerTokens.OF_TESTS.secret(),
                                "--order-service=http://127.0.0.1:" + stack.orders.port(),
                                "--inventory-service=http://127.0.0.1:" + stack.inventory.port());
                audits.add(status);
                ordered.addAndGet(round);
                round = 300;
            }
        }
    }
}
