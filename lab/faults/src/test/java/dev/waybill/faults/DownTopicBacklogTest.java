package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.Lease;
import dev.waybill.transport.SendTarget;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A million rows wait for a topic that is not there. They lie in front of all others, which must not notice. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ})
@Tag("scenario")
class DownTopicBacklogTest {

    private static final int WAITING = Scenario.length(1_000_000, 50_000);
    private static final int OTHERS = Scenario.length(50_000, 5_000);
    private static final int ROUNDS = Scenario.length(3, 1);
    private static final int POLLS = 20;
    private static final double AT_LEAST = 0.8;

    /** Shortened it runs among other tests, where a moment's stall must not cost a lease. */
    private static final int LEASE_MS = Scenario.length(5_000, 30_000);

    /** An exchange that nobody has declared. */
    private static final String DOWN = "faults.missing";

    @Test
    void anotherTopicDrainsAsFastAsWithoutThemOnMariaDb(MariaDb sql, RabbitMq broker) {
        compare("MariaDB", sql, broker, any -> StatementCounter.at(sql), any -> StatementCounter.readsAt(sql));
    }

    @Test
    void anotherTopicDrainsAsFastAsWithoutThemOnPostgreSql(PostgreSql sql, RabbitMq broker) {
        compare(
                "PostgreSQL",
                sql,
                broker,
                spec -> StatementCounter.at(sql, spec),
                spec -> StatementCounter.readsAt(sql, spec));
    }

    private static void compare(
            String name,
            SqlServer sql,
            RabbitMq broker,
            Function<NodeSettings, StatementCounter> statements,
            Function<NodeSettings, StatementCounter> reads) {
        try (RelayTestEnvironment empty = RelayTestEnvironment.onRabbit(name, sql, broker, "waybill");
                RelayTestEnvironment full = RelayTestEnvironment.onRabbit(name, sql, broker, "waybill")) {
            full.plant("waiting", WAITING, DOWN, Duration.ofHours(1));
            Polls without = Polls.of(empty, statements.apply(empty.spec), reads.apply(empty.spec));
            Polls with = Polls.of(full, statements.apply(full.spec), reads.apply(full.spec));
            full.print("%d polls beside %d rows of a down topic: %s; without them: %s", POLLS, WAITING, with, without);
            assertThat(with.statements()).isEqualTo(without.statements());
            if (Scenario.isWhole()) { // a short walk is made each time, because it is cheap
                assertThat(with.reads()).as("entries or pages").isLessThan(WAITING / 20);
            }
            drainInTurns(empty, full);
        }
    }

    private static void drainInTurns(RelayTestEnvironment empty, RelayTestEnvironment full) {
        try (RelayNode alone = new RelayNode(empty.spec.with("handoff", 0).with("leaseMs", LEASE_MS));
                RelayNode beside = new RelayNode(full.spec.with("handoff", 0).with("leaseMs", LEASE_MS))) {
            alone.relay.start();
            beside.relay.start();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> beside.relay.stats().down().contains(SendTarget.topic(DOWN)));
            seconds(empty, alone, "warm-up");
            seconds(full, beside, "warm-up");
            double without = 0;
            double with = 0;
            for (int round = 0; round < ROUNDS; round++) { // in turns, so that both see the same machine
                without += seconds(empty, alone, "round" + round);
                with += seconds(full, beside, "round" + round);
            }
            full.print(
                    "%d rows of another topic: %.0f/s, without the %d rows %.0f/s, ratio %.2f (at least %.1f)",
                    OTHERS, ROUNDS * OTHERS / with, WAITING, ROUNDS * OTHERS / without, without / with, AT_LEAST);
            await().atMost(Duration.ofSeconds(60)).until(() -> full.arrivals.distinct() == (ROUNDS + 1) * OTHERS);
            assertThat(full.arrivals.repeats()).isZero();
            assertThat(beside.relay.stats().down()).containsExactly(SendTarget.topic(DOWN));
            assertThat(full.count("SELECT COUNT(*) FROM waybill_outbox WHERE topic = '" + DOWN
                            + "' AND status = 'NEW' AND attempts = 0"))
                    .as("all but those that found out that the topic is down")
                    .isGreaterThan(WAITING - 1024);
            if (Scenario.isWhole()) {
                assertThat(without / with).isGreaterThanOrEqualTo(AT_LEAST);
            }
        }
    }

    private static double seconds(RelayTestEnvironment environment, RelayNode node, String ids) {
        long before = node.relay.stats().sent();
        environment.plant(ids, OTHERS, environment.spec.text("topic"), Duration.ZERO);
        long began = System.nanoTime();
        node.relay.wake();
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(4))
                .until(() -> node.relay.stats().sent() >= before + OTHERS);
        double seconds = (System.nanoTime() - began) / 1e9;
        environment.print("%s: %.1f s", ids, seconds);
        return seconds;
    }

    /** What polls cost that find nothing. */
    private record Polls(long statements, long reads) {

        static Polls of(RelayTestEnvironment environment, StatementCounter statements, StatementCounter reads) {
            try (RelayNode node = new RelayNode(environment.spec)) {
                Lease lease = new Lease("polls", Duration.ofSeconds(5));
                for (int i = 0; i < 3; i++) { // looks the table up, and walks over what waits
                    assertThat(node.store.claim(lease, 100, Set.of(DOWN))).isEmpty();
                }
                long statementsBefore = statements.count();
                long readsBefore = reads.count();
                for (int i = 0; i < POLLS; i++) {
                    assertThat(node.store.claim(lease, 100, Set.of(DOWN))).isEmpty();
                }
                return new Polls(statements.count() - statementsBefore, reads.count() - readsBefore);
            }
        }

        @Override
        public String toString() {
            return statements + " statements, " + reads + " reads";
        }
    }
}
