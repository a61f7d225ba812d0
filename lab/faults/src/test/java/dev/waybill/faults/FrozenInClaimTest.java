package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay gets SIGSTOP exactly between the lock and the mark of its claim, and others must have its rows soon. */
@Servers({Server.MARIADB, Server.MYSQL, Server.RABBITMQ})
@Tag("kill")
class FrozenInClaimTest {

    private static final int EVENTS = 500;
    private static final Duration LEASE = Duration.ofSeconds(3);

    @Test
    void anotherRelayHasTheRowsWithinTwoLeasesOnMariaDb(MariaDb sql, RabbitMq broker, ChildJvms jvms) {
        anotherRelayHasTheRowsWithinTwoLeases("MariaDB", sql, broker, jvms);
    }

    @Test
    void anotherRelayHasTheRowsWithinTwoLeasesOnMySql(MySql sql, RabbitMq broker, ChildJvms jvms) {
        anotherRelayHasTheRowsWithinTwoLeases("MySQL", sql, broker, jvms);
    }

    private static void anotherRelayHasTheRowsWithinTwoLeases(
            String name, SqlServer sql, RabbitMq broker, ChildJvms jvms) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.onRabbit(name, sql, broker, "waybill")) {
            List<String> ids = environment.fill(EVENTS);
            NodeSettings spec = environment.spec.with("leaseMs", LEASE.toMillis());
            ChildJvm frozen = jvms.start(
                    RelayProcess.class,
                    spec.with("waitBetweenLockAndMark", true)
                            .with("batch", EVENTS)
                            .arguments());
            frozen.waitForLine("LOCKED", Duration.ofSeconds(30));
            frozen.pause();
            long frozenAt = System.nanoTime();
            long free;
            try (RelayNode other = new RelayNode(spec.with("pollMs", 100))) {
                other.relay.start();
                await().pollInterval(Duration.ofMillis(50))
                        .atMost(Duration.ofSeconds(60))
                        .until(() ->
                                environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status <> 'SENT'") == 0);
                free = Duration.ofNanos(System.nanoTime() - frozenAt).toMillis();
            }
            frozen.resume();
            int printed = frozen.lines().size();
            // time in which a late writer would write, and a late sender send
            await().atMost(Duration.ofSeconds(30)).until(() -> frozen.lines().size() > printed + 20);
            environment.print("frozen between lock and mark: all %d rows sent by another after %d ms", EVENTS, free);

            assertThat(free).as("milliseconds, of two leases").isLessThan(2 * LEASE.toMillis());
            assertThat(environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'SENT'"))
                    .isEqualTo(EVENTS);
            assertThat(environment.arrivals.ids()).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(environment.arrivals.repeats()).isZero();
            assertThat(frozen.isAlive()).isTrue();
        }
    }
}
