package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Somebody's report keeps a transaction open on PostgreSQL. Until it ends, the index entries of claimed rows stay, and a
 * claim that began at the front would read more of them each time.
 */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("scenario")
class HeldSnapshotTest {

    private static final int EVENTS = Scenario.length(500_000, 20_000);
    private static final int TENTH = EVENTS / 10;
    private static final int WARM_UP = EVENTS / 25;
    private static final double AT_LEAST = 0.7;

    /** Shortened it runs among other tests, where a moment's stall must not cost a lease. */
    private static final int LEASE_MS = Scenario.length(5_000, 30_000);

    @Test
    void aTransactionThatStaysOpenDoesNotSlowDownALongDrain(PostgreSql sql, RabbitMq broker) throws SQLException {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker);
                RelayNode node =
                        new RelayNode(environment.spec.with("handoff", 0).with("leaseMs", LEASE_MS));
                Connection report = node.dataSource.getConnection()) {
            String topic = environment.spec.text("topic");
            environment.plant("warm-up", WARM_UP, topic, Duration.ofHours(1));
            node.relay.start();
            nanosUntilSent(node, WARM_UP);
            holdSnapshot(report);

            environment.plant("event", EVENTS, topic, Duration.ofHours(1));
            node.relay.wake();
            nanosUntilSent(node, WARM_UP + 1);
            double first = nanosUntilSent(node, WARM_UP + TENTH) / 1e9;
            nanosUntilSent(node, WARM_UP + 9 * TENTH);
            double last = nanosUntilSent(node, WARM_UP + EVENTS) / 1e9;
            assertThat(rowsSeenBy(report)).as("the report's rows").isEqualTo(WARM_UP);
            report.rollback();

            environment.print(
                    "drain of %d beside an open transaction: first tenth %.0f/s, last tenth %.0f/s, ratio %.2f (at least %.1f)",
                    EVENTS, TENTH / first, TENTH / last, first / last, AT_LEAST);
            await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() == WARM_UP + EVENTS);
            assertThat(environment.arrivals.repeats()).isZero();
            if (Scenario.isWhole()) {
                assertThat(first / last).isGreaterThanOrEqualTo(AT_LEAST);
            }
        }
    }

    private static void holdSnapshot(Connection report) throws SQLException {
        report.setAutoCommit(false);
        report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(rowsSeenBy(report)).isEqualTo(WARM_UP);
    }

    private static int rowsSeenBy(Connection report) throws SQLException {
        try (Statement statement = report.createStatement();
                ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM waybill_outbox")) {
            assertThat(count.next()).isTrue();
            return count.getInt(1);
        }
    }

    private static long nanosUntilSent(RelayNode node, int events) {
        long began = System.nanoTime();
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(5))
                .until(() -> node.relay.stats().sent() >= events);
        return System.nanoTime() - began;
    }
}
