package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.outbox.RelaySettings;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Both brokers stop for a while as business goes on, then come back. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
@Tag("outage")
class BrokerOutageTest {

    private static final int OUTAGE_SECONDS = Scenario.length(60, 8);
    private static final int PER_SECOND = 100;

    @Test
    void anOutageOfTheBrokerLosesNothingSpendsNoAttemptsAndNobodyNotices(
            MariaDb maria, RocketMq rocket, PostgreSql postgres, RabbitMq rabbit) throws InterruptedException {
        try (Load onRocket = new Load(RelayTestEnvironment.of(maria, rocket));
                Load onRabbit = new Load(RelayTestEnvironment.of(postgres, rabbit))) {
            List<Load> loads = List.of(onRocket, onRabbit);
            TimeUnit.SECONDS.sleep(6); // the load itself: the measure of a quiet day
            loads.forEach(Load::quietDay);

            rocket.kill(); // a graceful stop of RocketMQ takes 15 s of its own
            rabbit.stop();
            loads.forEach(load -> await().atMost(Duration.ofSeconds(30)).until(() -> !load.outages.downs.isEmpty()));
            loads.forEach(Load::outageBegins);
            TimeUnit.SECONDS.sleep(OUTAGE_SECONDS); // the outage itself
            loads.forEach(Load::outageEnds);
            rocket.start();
            rabbit.start();

            loads.forEach(Load::drainsAndNothingIsLost);
        }
    }

    /** One environment under paced load, and what was seen of it. */
    private static final class Load implements AutoCloseable {

        final RelayTestEnvironment environment;
        final Outages outages = new Outages();
        final RelayNode node;
        final Producers producers;
        private List<Long> quiet = List.of();
        private Set<String> beforeOutage = Set.of();

        Load(RelayTestEnvironment environment) {
            this.environment = environment;
            this.node = new RelayNode(environment.spec, outages, Checkpoints.NONE);
            node.relay.start();
            this.producers = new Producers(node, 2, Integer.MAX_VALUE, PER_SECOND).start();
        }

        void quietDay() {
            quiet = producers.takeLatencies();
        }

        void outageBegins() {
            producers.takeLatencies();
            beforeOutage = new HashSet<>(producers.committed());
        }

        void outageEnds() {
            List<Long> during = producers.takeLatencies();
            List<String> waiting = new ArrayList<>(producers.committed());
            waiting.removeAll(beforeOutage);
            long tried = environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE attempts > 0");
            Set<String> triedIds =
                    new HashSet<>(environment.texts("SELECT event_id FROM waybill_outbox WHERE attempts > 0"));
            double before = Clocks.percentile(quiet, 0.99) / 1e6;
            double p99 = Clocks.percentile(during, 0.99) / 1e6;
            environment.print(
                    "outage: downs=%s waiting=%d tried before it=%d; transaction p99 before %.1f ms, during %.1f ms, failures %d",
                    outages.downs,
                    waiting.size(),
                    tried,
                    before,
                    p99,
                    producers.failures().size());
            assertThat(waiting)
                    .hasSizeGreaterThan(OUTAGE_SECONDS * PER_SECOND / 2)
                    .noneMatch(triedIds::contains);
            assertThat(producers.failures()).isEmpty();
            assertThat(p99).isLessThan(2 * before + 20);
            assertThat(outages.downs).hasSize(1);
        }

        void drainsAndNothingIsLost() {
            await().atMost(Duration.ofSeconds(60)).until(() -> !outages.ups.isEmpty());
            producers.stop();
            int committed = producers.committed().size();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'") == 0);
            await().atMost(Duration.ofSeconds(30)).until(() -> environment.arrivals.distinct() >= committed);
            environment.print(
                    "after: committed=%d arrived=%d repeats=%d retried=%d downs=%s ups=%s",
                    committed,
                    environment.arrivals.distinct(),
                    environment.arrivals.repeats(),
                    node.relay.stats().retried(),
                    outages.downs,
                    outages.ups);
            LongLists.assertSame(environment.arrivals.ids(), producers.committed());
            assertThat(environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'DEAD'"))
                    .isZero();
            assertThat(outages.downs).hasSize(1);
            assertThat(outages.ups).hasSize(1);
            // no retry storm: only what was in flight when the broker went is ever sent again
            assertThat(node.relay.stats().retried())
                    .isLessThanOrEqualTo(RelaySettings.defaults().maxWindow());
        }

        @Override
        public void close() {
            producers.close();
            node.close();
            environment.close();
        }
    }
}
