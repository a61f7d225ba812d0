package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.alert.AlertMonitor;
import dev.waybill.alert.AlertNotice;
import dev.waybill.alert.AlertSink;
import dev.waybill.alert.DestinationProbe;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcAlertStore;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three replicas lose their broker and get it back, each at a moment of its own; people hear of it twice. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("outage")
class AlertsInAnOutageTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration INTERVAL = Duration.ofMillis(300);

    @Test
    void threeReplicasRaiseOneAlertWhenTheBrokerGoesDownAndClearItOnce(PostgreSql sql, RabbitMq broker) {
        Queue<AlertNotice> told = new ConcurrentLinkedQueue<>();
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            List<Replica> replicas = IntStream.range(0, 3)
                    .mapToObj(i -> new Replica(environment.spec, told))
                    .toList();
            try {
                broker.stop();
                replicas.forEach(Replica::publish); // a relay that sends nothing may not notice
                await().atMost(LONG).until(() -> replicas.stream().allMatch(Replica::seesTheBrokerDown));
                await().atMost(LONG).until(() -> !told.isEmpty());
                staysAt(told, 1);

                broker.start();
                await().atMost(LONG).until(() -> told.size() > 1);
                staysAt(told, 2);
            } finally {
                replicas.forEach(Replica::close);
            }
            assertThat(told)
                    .extracting(AlertNotice::kind, AlertNotice::key)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple(AlertNotice.Kind.RAISED, "destination-down:*"),
                            org.assertj.core.groups.Tuple.tuple(AlertNotice.Kind.CLEARED, "destination-down:*"));
        }
    }

    /** So long that every replica has looked again, and what is to be cleared is cleared. */
    private static void staysAt(Queue<AlertNotice> told, int notices) {
        await().during(INTERVAL.multipliedBy(5)).atMost(LONG).until(() -> told.size() == notices);
    }

    /** A process in all but name: a relay, connections and a monitor of its own. */
    private static final class Replica implements AutoCloseable {

        private final RelayNode node;
        private final AlertMonitor monitor;

        Replica(NodeSettings spec, Queue<AlertNotice> told) {
            this.node = new RelayNode(spec.with("pool", 6));
            Ddl.applyAlerts(node.dataSource);
            this.monitor = AlertMonitor.builder("shop", new JdbcAlertStore(node.dataSource))
                    .probe(new DestinationProbe(() -> node.relay.stats().down()))
                    .sink(sink(told))
                    .interval(INTERVAL)
                    .build();
            node.relay.start();
            monitor.start();
        }

        void publish() {
            node.transact(connection -> node.outbox.publish(Producers.event()));
        }

        boolean seesTheBrokerDown() {
            return !node.relay.stats().down().isEmpty();
        }

        @Override
        public void close() {
            monitor.stop(Duration.ofSeconds(5));
            node.close();
        }

        private static AlertSink sink(Queue<AlertNotice> told) {
            return new AlertSink() {
                @Override
                public String name() {
                    return "test";
                }

                @Override
                public void tell(AlertNotice notice) {
                    told.add(notice);
                }
            };
        }
    }
}
