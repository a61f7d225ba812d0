package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * MariaDB as it comes, at REPEATABLE READ: other outboxes deadlock their producers with their workers there, or leave rows
 * behind until a retry interval has passed. Here the lease is so long that a row left behind would fail the test.
 */
@Servers({Server.MARIADB, Server.RABBITMQ})
class DefaultIsolationTest {

    private static final int BACKLOG = 1000;
    private static final int EVENTS = 2000;

    @Test
    void producersNeverDeadlockWithTheRelayAndNoRowIsLeftToItsLease(MariaDb sql, RabbitMq broker)
            throws InterruptedException {
        try (RelayTestEnvironment environment =
                        RelayTestEnvironment.onRabbit("MariaDB+RabbitMQ", sql, broker, "waybill");
                RelayNode node =
                        new RelayNode(environment.spec.with("leaseMs", 600_000).with("pool", 14))) {
            assertThat(environment.texts("SELECT @@tx_isolation")).isEqualTo(List.of("REPEATABLE-READ"));
            Set<String> expected = new HashSet<>(environment.fill(BACKLOG)); // claims run beside inserts
            node.relay.start();
            try (Producers producers = new Producers(node, 8, EVENTS, 0).start()) {
                producers.join();
                assertThat(producers.failures()).isEmpty();
                expected.addAll(producers.committed());
            }
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'") == 0);
            await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() >= expected.size());
            assertThat(expected).hasSize(BACKLOG + EVENTS);
            assertThat(environment.arrivals.ids()).isEqualTo(expected);
        }
    }
}
