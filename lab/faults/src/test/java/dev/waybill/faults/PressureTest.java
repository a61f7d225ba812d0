package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.HashSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The broker under pressure while producers go on at full speed: its memory alarm, and a slow network. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("outage")
class PressureTest {

    private static final int PRESSURE_SECONDS = 20;
    private static final int RECOVERY_SECONDS = 30;
    private static final int MEASURE_SECONDS = 6;

    @Test
    void theWindowShrinksUnderPressureNothingIsLostAndTheRateComesBack(PostgreSql sql, RabbitMq broker)
            throws InterruptedException {
        try (Stage stage = Stage.of(sql, broker);
                FaultProxy network = FaultProxy.to(broker);
                Node node = new Node(stage.spec.with("amqp", through(network, stage.spec.text("amqp"))))) {
            node.relay.start();
            try (Producers producers = new Producers(node, 4, Integer.MAX_VALUE, 2000).start()) {
                TimeUnit.SECONDS.sleep(MEASURE_SECONDS); // warm
                pressed(stage, node, producers, "memory alarm", broker::raiseMemoryAlarm, broker::clearMemoryAlarm);
                pressed(
                        stage,
                        node,
                        producers,
                        "200 ms latency",
                        () -> network.latency(Duration.ofMillis(100)),
                        network::heal);
                producers.stop();
                int committed = producers.committed().size();
                await().atMost(Duration.ofSeconds(60)).until(() -> stage.arrivals.distinct() >= committed);
                assertThat(stage.arrivals.ids()).isEqualTo(new HashSet<>(producers.committed()));
                assertThat(producers.failures()).isEmpty();
                assertThat(stage.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'DEAD'"))
                        .isZero();
            }
        }
    }

    private static void pressed(
            Stage stage, Node node, Producers producers, String what, Runnable press, Runnable relieve)
            throws InterruptedException {
        double before = rate(node);
        int open = node.relay.stats().window();
        press.run();
        int narrow = open;
        for (int i = 0; i < PRESSURE_SECONDS * 10; i++) {
            TimeUnit.MILLISECONDS.sleep(100); // the pressure itself, watched
            narrow = Math.min(narrow, node.relay.stats().window());
        }
        relieve.run();
        TimeUnit.SECONDS.sleep(RECOVERY_SECONDS - MEASURE_SECONDS); // the time that recovery is given
        int committed = producers.committed().size();
        double after = rate(node);
        for (int again = 0; again < 2 && after < 0.9 * before; again++) {
            // a database that pauses for a moment is not the relay: what was committed meanwhile tells
            stage.print(
                    "%s: %.0f/s while %d were committed, measured once more; %s",
                    what, after, producers.committed().size() - committed, node.relay.stats());
            committed = producers.committed().size();
            after = rate(node);
        }
        stage.print(
                "%s: rate before %.0f/s, %d s later %.0f/s, ratio %.2f; window %d -> %d -> %d",
                what,
                before,
                RECOVERY_SECONDS,
                after,
                after / before,
                open,
                narrow,
                node.relay.stats().window());
        assertThat(narrow).isLessThan(open);
        assertThat(after).isGreaterThanOrEqualTo(0.9 * before);
    }

    private static double rate(Node node) throws InterruptedException {
        long sent = node.relay.stats().sent();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(MEASURE_SECONDS); // the measure itself
        return (node.relay.stats().sent() - sent) * 1e9 / (System.nanoTime() - begin);
    }

    private static String through(FaultProxy network, String amqp) {
        return amqp.replaceFirst("@[^/]+", "@" + network.host() + ":" + network.port());
    }
}
