package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the contract does not test: query plans, numbers of statements, the state of returned connections, real seconds. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class JdbcOutboxStoreTest {

    private static final Lease MINE = new Lease("mine", Duration.ofSeconds(1));
    private static final Lease THEIRS = new Lease("theirs", Duration.ofSeconds(1));

    @Test
    void everyClaimReadsAnIndexInOrderOnMariaDb(MariaDb server) throws SQLException {
        claimsReadAnIndexInOrder(server);
    }

    @Test
    void everyClaimReadsAnIndexInOrderOnMySql(MySql server) throws SQLException {
        claimsReadAnIndexInOrder(server);
    }

    private static void claimsReadAnIndexInOrder(SqlServer server) throws SQLException {
        for (TestTable layout : TestTable.values()) {
            try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(server.freshDatabase(), layout);
                    Connection connection = fixture.pool().connections().getConnection()) {
                OutboxTable table = OutboxTable.open(connection, layout.mapping, "shop");
                for (OutboxTable.DueRange range : table.dueRanges()) {
                    String lock = table.sql(OutboxLockingClaimer.LOCK, Map.of("range", range.condition()))
                            .replace(":limit", "100");
                    List<String> plan = new SqlCall("EXPLAIN " + lock)
                            .query(
                                    connection,
                                    row -> row.getString("type") + " " + row.getString("key") + " "
                                            + row.getString("Extra"));
                    assertThat(plan)
                            .singleElement()
                            .satisfies(step ->
                                    assertThat(step).startsWith("range idx_").doesNotContain("filesort"));
                }
            }
        }
    }

    @Test
    void anIdlePollIsOneStatement(MariaDb server) {
        for (TestTable layout : TestTable.values()) {
            try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(server.freshDatabase(), layout)) {
                fixture.store().claim(MINE, 10, Set.of());
                long before = selects(fixture);
                for (int i = 0; i < 10; i++) {
                    fixture.store().claim(MINE, 10, Set.of());
                }
                assertThat(selects(fixture) - before).isEqualTo(10 + 1); // reading the counter is a SELECT too
            }
        }
    }

    /** Counts the SELECTs of all sessions, which works because test classes run one after another. */
    private static long selects(JdbcOutboxFixture fixture) {
        return Long.parseLong(fixture.pool()
                .query("SELECT variable_value FROM information_schema.global_status"
                        + " WHERE variable_name = 'Com_select'")
                .get(0));
    }

    @Test
    void connectionsAreReturnedAsTheyWereTakenOnMariaDb(MariaDb server) throws SQLException {
        areReturnedAsTheyWereTaken(server.freshDatabase(), "SELECT @@session.tx_isolation");
    }

    @Test
    void connectionsAreReturnedAsTheyWereTakenOnMySql(MySql server) throws SQLException {
        areReturnedAsTheyWereTaken(server.freshDatabase(), "SELECT @@session.transaction_isolation");
    }

    @Test
    void connectionsAreReturnedAsTheyWereTakenOnPostgreSql(PostgreSql server) throws SQLException {
        areReturnedAsTheyWereTaken(server.freshDatabase(), "SHOW TRANSACTION ISOLATION LEVEL");
    }

    /** With REPEATABLE READ as the pool's level, with and without auto-commit. */
    private static void areReturnedAsTheyWereTaken(Database database, String askIsolation) throws SQLException {
        for (boolean autoCommit : List.of(true, false)) {
            try (TestPool pool = new TestPool(database, config -> {
                config.setMaximumPoolSize(1);
                config.setAutoCommit(autoCommit);
                config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
            })) {
                Ddl.apply(pool.connections(), OutboxLayouts.tOutboxEvent());
                JdbcTransactions transactions = new JdbcTransactions(pool.connections());
                JdbcOutboxStore store = JdbcOutboxStore.builder(pool.connections())
                        .callerConnection(transactions)
                        .mapping(OutboxLayouts.tOutboxEvent())
                        .build();
                List<Event> events = List.of(event(), event(), event());
                transactions.<List<ClaimedEvent>, RuntimeException>call(connection -> store.append(events, null));
                List<ClaimedEvent> claimed = ClaimedRow.events(store.claim(MINE, 10, Set.of()));
                assertThat(claimed).hasSize(3);
                assertThat(store.renew(MINE, claimed)).hasSize(3);
                assertThat(store.settle(List.of(
                                new Settlement.Sent(claimed.get(0), null),
                                new Settlement.Retry(claimed.get(1), Duration.ZERO, "r"),
                                new Settlement.Dead(claimed.get(2), "d"))))
                        .isEqualTo(3);
                store.backlog();
                try (Connection connection = pool.connections().getConnection()) {
                    assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
                    assertThat(new SqlCall(askIsolation)
                                    .query(connection, row -> row.getString(1).toLowerCase(java.util.Locale.ROOT)))
                            .allSatisfy(level -> assertThat(level).matches("repeatable.read"));
                    connection.createStatement().execute("DELETE FROM t_outbox_event");
                    if (!autoCommit) {
                        connection.commit();
                    }
                }
            }
        }
    }

    @Test
    void aWholeSecondLeaseRunsOutInRealTimeAndItsFormerHolderWritesNothing(MariaDb server) {
        runsOutInRealTime(new JdbcOutboxFixture(server.freshDatabase(), TestTable.OUTBOX_EVENT));
    }

    @Test
    void aWholeSecondLeaseRunsOutInRealTimeOnPostgreSql(PostgreSql server) {
        runsOutInRealTime(new JdbcOutboxFixture(server.freshDatabase(), TestTable.OUTBOX_EVENTS));
    }

    private static void runsOutInRealTime(JdbcOutboxFixture opened) {
        try (JdbcOutboxFixture fixture = opened) {
            List<ClaimedEvent> handed =
                    fixture.inTransaction(() -> fixture.store().append(List.of(event()), MINE));
            List<ClaimedEvent> taken = new ArrayList<>();
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> {
                        taken.addAll(ClaimedRow.events(fixture.otherStore().claim(THEIRS, 10, Set.of())));
                        return !taken.isEmpty();
                    });

            assertThat(taken.get(0).fence()).isNotEqualTo(handed.get(0).fence());
            assertThat(fixture.store().settle(List.of(new Settlement.Sent(handed.get(0), "late"))))
                    .isZero();
            assertThat(fixture.otherStore().settle(List.of(new Settlement.Sent(taken.get(0), "theirs"))))
                    .isEqualTo(1);
        }
    }

    @Test
    void theOtherVendorsDriverWorksToo(MariaDb mariaDb, MySql mySql) throws SQLException {
        worksWithTheDriverOf(mariaDb.freshDatabase(), "jdbc:mariadb:", "jdbc:mysql:");
        worksWithTheDriverOf(mySql.freshDatabase(), "jdbc:mysql:", "jdbc:mariadb:");
    }

    private static void worksWithTheDriverOf(Database database, String from, String to) throws SQLException {
        String url = database.jdbcUrl().replaceFirst(from, to).replaceFirst("\\?.*", "")
                + (to.contains("mariadb") ? "?permitMysqlScheme&allowPublicKeyRetrieval=true" : "");
        try (TestPool pool = new TestPool(database, config -> config.setJdbcUrl(url))) {
            Ddl.apply(pool.connections(), OutboxLayouts.outboxEvent());
            JdbcTransactions transactions = new JdbcTransactions(pool.connections());
            JdbcOutboxStore store = JdbcOutboxStore.builder(pool.connections())
                    .callerConnection(transactions)
                    .mapping(OutboxLayouts.outboxEvent())
                    .build();
            List<Event> events = List.of(event(), event(), event());
            List<ClaimedEvent> appended =
                    transactions.<List<ClaimedEvent>, RuntimeException>call(connection -> store.append(events, MINE));
            assertThat(appended).extracting(ClaimedEvent::rowKey).containsExactly("1", "2", "3");
            assertThat(store.settle(List.of(new Settlement.Sent(appended.get(2), "b"))))
                    .isEqualTo(1);
            assertThat(store.backlog().sent()).isEqualTo(1);
        }
    }

    private static Event event() {
        return Event.builder("OrderCreated")
                .aggregate("Order", "1")
                .bizKey("ORD1")
                .build();
    }
}
