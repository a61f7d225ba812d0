package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A relay stops reading while the answer to its claim is on the way: a claim on PostgreSQL is committed only after that. */
@Servers(Server.POSTGRESQL)
class UnreadClaimTest {

    /** More than the sockets between server and client hold. */
    private static final int ROWS = 30;

    private static final int ROW_BYTES = 1_000_000;
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final ClaimLimit LIMIT = new ClaimLimit(ROWS, 100L * ROW_BYTES);
    private static final long TURNSTILE = 4711;

    @Test
    void itsRowsAreAnothersWithinTwoLeases(PostgreSql server) throws Exception {
        Database database = server.freshDatabase();
        try (FaultProxy proxy = FaultProxy.to(server);
                TestPool frozenPool = new TestPool(new Database(
                        database.name(),
                        server.jdbcUrl(proxy.host(), proxy.port(), database.name()),
                        database.user(),
                        database.password()));
                TestPool pool = new TestPool(database)) {
            Ddl.apply(pool.connections(), OutboxLayouts.waybill());
            JdbcTransactions transactions = new JdbcTransactions(pool.connections());
            JdbcOutboxStore store = store(pool, transactions);
            List<Event> events = IntStream.range(0, ROWS)
                    .mapToObj(i -> Event.builder("OrderCreated")
                            .aggregate("Order", "1")
                            .payload("{\"text\":\"" + "x".repeat(ROW_BYTES) + "\"}")
                            .build())
                    .toList();
            transactions.<Object, RuntimeException>call(connection -> store.append(events, null));
            try (Connection turnstile = pool.connections().getConnection()) {
                stopUpdatesBehind(turnstile);
                JdbcOutboxStore frozen = store(frozenPool, new JdbcTransactions(frozenPool.connections()));
                Thread claiming = new Thread(() -> frozen.claim(new Lease("frozen", LEASE), LIMIT, Set.of()));
                claiming.setUncaughtExceptionHandler((thread, cutOff) -> {});
                claiming.start();
                await().until(() -> updatesWaiting(pool));
                proxy.blackhole();
                execute(turnstile, "SELECT pg_advisory_unlock(" + TURNSTILE + ")");

                long began = System.nanoTime();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> store.claim(new Lease("other", LEASE), LIMIT, Set.of())
                                        .size()
                                == ROWS);
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LEASE.multipliedBy(2));
                proxy.heal();
                claiming.join();
            }
        }
    }

    private static JdbcOutboxStore store(TestPool pool, JdbcTransactions transactions) {
        return JdbcOutboxStore.builder(pool.connections())
                .callerConnection(transactions)
                .mapping(OutboxLayouts.waybill())
                .build();
    }

    /** Updates of the outbox wait until this connection lets them through, so that the moment of the answer is known. */
    private static void stopUpdatesBehind(Connection turnstile) throws SQLException {
        execute(turnstile, "SELECT pg_advisory_lock(" + TURNSTILE + ")");
        execute(turnstile, """
                CREATE FUNCTION turnstile() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM pg_advisory_xact_lock_shared(%d);
                    RETURN NULL;
                END $$""".formatted(TURNSTILE));
        execute(
                turnstile,
                "CREATE TRIGGER turnstile BEFORE UPDATE ON waybill_outbox FOR EACH STATEMENT EXECUTE FUNCTION turnstile()");
    }

    private static boolean updatesWaiting(TestPool pool) {
        return pool.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                .contains("1");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
