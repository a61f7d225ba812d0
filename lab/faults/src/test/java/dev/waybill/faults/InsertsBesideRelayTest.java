package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A relay in a process of its own knows nothing of the transactions that it claims beside, and must not hold them up. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL, Server.RABBITMQ})
@Tag("scenario")
class InsertsBesideRelayTest {

    private static final int ROUNDS = Scenario.length(4, 1);
    private static final int SECONDS = Scenario.length(8, 1);
    private static final int PER_SECOND = 400;
    private static final int BACKLOG = 2_000;
    private static final double AT_MOST = 2;

    @Test
    void insertsHardlyNoticeARelayInAnotherProcessOnMariaDb(MariaDb sql, RabbitMq broker, ChildJvms jvms)
            throws InterruptedException {
        compare(sql, broker, jvms);
    }

    @Test
    void insertsHardlyNoticeARelayInAnotherProcessOnMySql(MySql sql, RabbitMq broker, ChildJvms jvms)
            throws InterruptedException {
        compare(sql, broker, jvms);
    }

    @Test
    void insertsHardlyNoticeARelayInAnotherProcessOnPostgreSql(PostgreSql sql, RabbitMq broker, ChildJvms jvms)
            throws InterruptedException {
        compare(sql, broker, jvms);
    }

    private static void compare(SqlServer sql, RabbitMq broker, ChildJvms jvms) throws InterruptedException {
        try (RelayTestEnvironment environment =
                        RelayTestEnvironment.onRabbit(sql.server().title(), sql, broker, "waybill");
                RelayNode node = new RelayNode(environment.spec.with("handoff", 0))) {
            List<Long> without = new ArrayList<>();
            List<Long> beside = new ArrayList<>();
            int committed = inserts(node).size(); // warm
            for (int round = 0; round < ROUNDS; round++) { // in turns, so that both see the same machine
                without.addAll(inserts(node));
                ChildJvm relay = jvms.start(RelayProcess.class, environment.spec.arguments());
                relay.waitForLine("READY", Duration.ofSeconds(60));
                committed += SECONDS * PER_SECOND;
                awaitSent(environment, committed);
                beside.addAll(inserts(node));
                committed += SECONDS * PER_SECOND;
                awaitSent(environment, committed);
                relay.terminate();
                relay.waitForExit(Duration.ofSeconds(60));
            }
            double quiet = Clocks.percentile(without, 0.99) / 1e6;
            double busy = Clocks.percentile(beside, 0.99) / 1e6;
            environment.print(
                    "insert p99 at %d/s: without a relay %.2f ms, with one in another process %.2f ms, ratio %.2f (at most %.0f);"
                            + " p50 %.2f and %.2f ms",
                    PER_SECOND,
                    quiet,
                    busy,
                    busy / quiet,
                    AT_MOST,
                    Clocks.percentile(without, 0.5) / 1e6,
                    Clocks.percentile(beside, 0.5) / 1e6);
            if (Scenario.isWhole()) {
                assertThat(busy / quiet).isLessThanOrEqualTo(AT_MOST);
            }
        }
    }

    /** A service at work, at its usual pace. */
    private static List<Long> inserts(RelayNode node) throws InterruptedException {
        try (Producers producers = new Producers(node, 4, SECONDS * PER_SECOND, PER_SECOND).start()) {
            producers.join();
            assertThat(producers.failures()).isEmpty();
            return producers.takeLatencies();
        }
    }

    private static void awaitSent(RelayTestEnvironment environment, int events) {
        await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() >= events);
    }

    @Test
    void anOldBacklogIsClaimedInLargeStepsUntilSomebodyElseInserts(MariaDb sql, RabbitMq broker)
            throws InterruptedException {
        StatementCounter statements = StatementCounter.at(sql);
        try (RelayTestEnvironment environment =
                        RelayTestEnvironment.onRabbit(sql.server().title(), sql, broker, "waybill");
                RelayNode node = new RelayNode(environment.spec)) {
            assertThat(statementsOfAClaim(environment, node, statements, "alone"))
                    .isLessThanOrEqualTo(1 + 3 * BACKLOG / 500); // a look, then ask, lock and mark, 500 rows each time
            try (RelayNode other = new RelayNode(environment.spec.with("handoff", 0));
                    Producers producers = new Producers(other, 1, Integer.MAX_VALUE, 10).start()) {
                int[] round = new int[1];
                // on a machine that stands still for a moment nothing is fresh
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> statementsOfAClaim(environment, node, statements, "beside" + round[0]++)
                                >= 2 * BACKLOG / 100);
                assertThat(producers.failures()).isEmpty();
            }
        }
    }

    private static long statementsOfAClaim(
            RelayTestEnvironment environment, RelayNode node, StatementCounter statements, String ids) {
        node.store.claim(new Lease("other", Duration.ofMinutes(10)), 1, Set.of()); // looks the table up
        environment.plant(ids, BACKLOG, environment.spec.text("topic"), Duration.ofHours(1));
        long before = statements.count();
        assertThat(node.store.claim(new Lease("other", Duration.ofMinutes(10)), BACKLOG, Set.of()))
                .hasSize(BACKLOG);
        return statements.count() - before;
    }
}
