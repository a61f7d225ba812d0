package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * MariaDB and MySQL as they come, at REPEATABLE READ: other outboxes deadlock their producers with their workers there, or
 * leave rows behind until a retry interval has passed. Here the lease is so long that a row left behind would fail the test.
 */
@Servers({Server.MARIADB, Server.MYSQL, Server.RABBITMQ})
class DefaultIsolationTest {

    private static final int BACKLOG = 1000;
    private static final int EVENTS = 2000;
    private static final Duration LEASE = Duration.ofMinutes(10);

    @Test
    void producersNeverDeadlockWithTheRelayAndNoRowIsLeftToItsLease(MariaDb sql, RabbitMq broker)
            throws InterruptedException {
        try (RelayTestEnvironment environment =
                        RelayTestEnvironment.onRabbit("MariaDB+RabbitMQ", sql, broker, "waybill");
                RelayNode node = new RelayNode(
                        environment.spec.with("leaseMs", LEASE.toMillis()).with("pool", 14))) {
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

    @Test
    void businessInsertsGoBetweenTheRowsOfAnOpenClaimOnMariaDb(MariaDb sql, RabbitMq broker) {
        insertsGoBetweenTheRowsOfAnOpenClaim(sql, broker, "SELECT @@tx_isolation");
    }

    @Test
    void businessInsertsGoBetweenTheRowsOfAnOpenClaimOnMySql(MySql sql, RabbitMq broker) {
        insertsGoBetweenTheRowsOfAnOpenClaim(sql, broker, "SELECT @@transaction_isolation");
    }

    /** At REPEATABLE READ the claim would hold the gaps beside its rows too, and both inserts would wait for its end. */
    private static void insertsGoBetweenTheRowsOfAnOpenClaim(SqlServer sql, RabbitMq broker, String askIsolation) {
        try (RelayTestEnvironment environment =
                        RelayTestEnvironment.onRabbit(sql.server().title(), sql, broker, "waybill");
                RelayNode node = new RelayNode(environment.spec)) {
            assertThat(environment.texts(askIsolation)).isEqualTo(List.of("REPEATABLE-READ"));
            String topic = environment.spec.text("topic");
            environment.plant("early", 5, topic, Duration.ofMinutes(60));
            environment.plant("late", 5, topic, Duration.ofMinutes(30));
            long waitsBefore = environment.lockWaits();
            OutboxStore store = JdbcOutboxStore.builder(WaitsBetweenLockAndMark.over(node.dataSource, () -> {
                        insertWithoutPatience(environment, "between", Duration.ofMinutes(45));
                        insertWithoutPatience(environment, "behind", Duration.ZERO);
                    }))
                    .build();

            assertThat(store.claim(new Lease("open", LEASE), 100, Set.of())).hasSize(10);
            assertThat(environment.texts("SELECT event_id FROM waybill_outbox WHERE claim_token IS NULL"))
                    .hasSize(2);
            assertThat(environment.lockWaits() - waitsBefore).isZero();
        }
    }

    private static void insertWithoutPatience(RelayTestEnvironment environment, String id, Duration ago) {
        NodeSettings spec = environment.spec;
        environment.executeAll(List.of(
                "SET SESSION innodb_lock_wait_timeout = 1",
                BulkRows.insert(spec.text("url"), id, 1, spec.text("topic"), spec.text("tag"), ago)));
    }
}
