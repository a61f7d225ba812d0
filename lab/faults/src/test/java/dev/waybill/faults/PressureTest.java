package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The broker under pressure while producers go on at full speed: its memory alarm, and a slow network. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("outage")
class PressureTest {

    private static final int PRESSURE_SECONDS = Scenario.length(20, 5);
    private static final int RECOVERY_SECONDS = 30;
    private static final int MEASURE_SECONDS = Scenario.length(6, 3);
    private static final String UNSENT = "SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'";

    @Test
    void theWindowShrinksUnderPressureNothingIsLostAndTheRateComesBack(PostgreSql sql, RabbitMq broker)
            throws InterruptedException {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker);
                FaultProxy network = FaultProxy.to(broker);
                RelayNode node =
                        new RelayNode(environment.spec.with("amqp", through(network, environment.spec.text("amqp"))))) {
            node.relay.start();
            try (Producers producers = new Producers(node, 4, Integer.MAX_VALUE, 2000).start()) {
                TimeUnit.SECONDS.sleep(MEASURE_SECONDS); // warm
                pressed(
                        environment,
                        node,
                        producers,
                        "memory alarm",
                        broker::raiseMemoryAlarm,
                        broker::clearMemoryAlarm);
                pressed(
                        environment,
                        node,
                        producers,
                        "200 ms latency",
                        () -> network.latency(Duration.ofMillis(100)),
                        network::heal);
                producers.stop();
                int committed = producers.committed().size();
                await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() >= committed);
                assertThat(environment.arrivals.ids()).isEqualTo(new HashSet<>(producers.committed()));
                assertThat(producers.failures()).isEmpty();
                assertThat(environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'DEAD'"))
                        .isZero();
            }
        }
    }

    private static void pressed(
            RelayTestEnvironment environment,
            RelayNode node,
            Producers producers,
            String what,
            Runnable press,
            Runnable relieve)
            throws InterruptedException {
        Rates before = rates(node, producers);
        int open = node.relay.stats().window();
        press.run();
        int narrow = open;
        for (int i = 0; i < PRESSURE_SECONDS * 10; i++) {
            TimeUnit.MILLISECONDS.sleep(100); // the pressure itself, watched
            narrow = Math.min(narrow, node.relay.stats().window());
        }
        relieve.run();
        long relieved = System.nanoTime();
        Rates after = rates(node, producers);
        while (!recovered(environment, before, after) && secondsSince(relieved) < RECOVERY_SECONDS + MEASURE_SECONDS) {
            after = rates(node, producers);
        }
        environment.print(
                "%s: before %s, %.0f s later %s, ratio %.2f; window %d -> %d -> %d",
                what,
                before,
                secondsSince(relieved),
                after,
                after.sent() / before.sent(),
                open,
                narrow,
                node.relay.stats().window());
        assertThat(narrow).isLessThan(open);
        assertThat(after.cameBackTo(before)).as("%s after %s", after, before).isTrue();
        assertThat(environment.count(UNSENT))
                .as("waiting, less than a second's worth")
                .isLessThan((long) before.sent());
    }

    private static boolean recovered(RelayTestEnvironment environment, Rates before, Rates now) {
        return now.cameBackTo(before) && environment.count(UNSENT) < before.sent();
    }

    private static double secondsSince(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Events a second. */
    private record Rates(double sent, double committed) {

        /** A machine that slows down slows the producers: nobody can send what they have not committed. */
        boolean cameBackTo(Rates before) {
            return sent >= 0.9 * Math.min(before.sent, committed);
        }

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.0f/s sent of %.0f/s committed", sent, committed);
        }
    }

    private static Rates rates(RelayNode node, Producers producers) throws InterruptedException {
        long sent = node.relay.stats().sent();
        int committed = producers.committed().size();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(MEASURE_SECONDS); // the measure itself
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Rates(
                (node.relay.stats().sent() - sent) / seconds,
                (producers.committed().size() - committed) / seconds);
    }

    private static String through(FaultProxy network, String amqp) {
        return amqp.replaceFirst("@[^/]+", "@" + network.host() + ":" + network.port());
    }
}
