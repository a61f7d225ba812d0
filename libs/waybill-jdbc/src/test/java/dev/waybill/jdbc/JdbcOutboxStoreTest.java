package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the contract does not test: query plans, numbers of statements, the state of returned connections, real seconds. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class JdbcOutboxStoreTest {

    private static final Lease MINE = new Lease("mine", Duration.ofSeconds(1));
    private static final Lease THEIRS = new Lease("theirs", Duration.ofSeconds(1));

    private static final String LEVEL_OF_THE_LOCKER =
            "SELECT trx_isolation_level FROM information_schema.innodb_trx WHERE trx_rows_locked > 0"
                    + " AND trx_mysql_thread_id IN (SELECT id FROM information_schema.processlist WHERE db = DATABASE())";

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
                    String lock = table.sql(OutboxLockingClaimer.LOCK, range.placeholders())
                            .replace(":limit", "100");
                    List<String> plan = new SqlCall("EXPLAIN " + lock)
                            .query(
                                    connection,
                                    row -> row.getString("type") + " " + row.getString("key") + " "
                                            + row.getString("Extra"));
                    assertThat(plan)
                            .singleElement()
                            .satisfies(step -> assertThat(step)
                                    .matches("(range|ref) idx_.*")
                                    .doesNotContain("filesort"));
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
        areReturnedAsTheyWereTaken(
                server.freshDatabase(), "SELECT @@session.tx_isolation", "SELECT @@wait_timeout, @@net_write_timeout");
    }

    @Test
    void connectionsAreReturnedAsTheyWereTakenOnMySql(MySql server) throws SQLException {
        areReturnedAsTheyWereTaken(
                server.freshDatabase(),
                "SELECT @@session.transaction_isolation",
                "SELECT @@wait_timeout, @@net_write_timeout");
    }

    @Test
    void connectionsAreReturnedAsTheyWereTakenOnPostgreSql(PostgreSql server) throws SQLException {
        areReturnedAsTheyWereTaken(
                server.freshDatabase(),
                "SHOW TRANSACTION ISOLATION LEVEL",
                "SELECT current_setting('idle_in_transaction_session_timeout'), current_setting('tcp_user_timeout')");
    }

    /** With REPEATABLE READ as the pool's level, with and without auto-commit. */
    private static void areReturnedAsTheyWereTaken(Database database, String askIsolation, String askTimeouts)
            throws SQLException {
        for (boolean autoCommit : List.of(true, false)) {
            try (TestPool pool = new TestPool(database, config -> {
                config.setMaximumPoolSize(1);
                config.setAutoCommit(autoCommit);
                config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
            })) {
                Ddl.apply(pool.connections(), OutboxLayouts.tOutboxEvent());
                List<String> timeouts = timeouts(pool, askTimeouts);
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
                assertThat(timeouts(pool, askTimeouts)).isEqualTo(timeouts);
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

    private static List<String> timeouts(TestPool pool, String ask) throws SQLException {
        try (Connection connection = pool.connections().getConnection()) {
            List<String> found = new SqlCall(ask).query(connection, row -> row.getString(1) + " " + row.getString(2));
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return found;
        }
    }

    @Test
    void rowsOfARelayThatFrozeInItsClaimComeFreeOnMariaDb(MariaDb server) throws Exception {
        rowsOfAFrozenClaimComeFree(server, LEVEL_OF_THE_LOCKER);
    }

    @Test
    void rowsOfARelayThatFrozeInItsClaimComeFreeOnMySql(MySql server) throws Exception {
        rowsOfAFrozenClaimComeFree(server, LEVEL_OF_THE_LOCKER);
    }

    @Test
    void rowsOfARelayThatFrozeInItsClaimComeFreeOnPostgreSql(PostgreSql server) throws Exception {
        rowsOfAFrozenClaimComeFree(server, "SELECT 'READ COMMITTED'"); // no other session's level can be seen there
    }

    /** The frozen claim holds its locks and sends nothing more, as after SIGSTOP or behind a cut cable. */
    private static void rowsOfAFrozenClaimComeFree(SqlServer server, String askIsolation) throws Exception {
        CountDownLatch frozen = new CountDownLatch(1);
        CountDownLatch thawed = new CountDownLatch(1);
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(server.freshDatabase(), TestTable.WAYBILL)) {
            fixture.inTransaction(() -> fixture.store().append(List.of(event(), event(), event()), null));
            OutboxStore pausing = fixture.storeThatPauses(() -> {
                frozen.countDown();
                awaitUninterruptibly(thawed);
            });
            FutureTask<List<ClaimedRow>> claim = new FutureTask<>(() -> pausing.claim(MINE, 10, Set.of()));
            Thread relay = new Thread(claim, "frozen relay");
            relay.start();
            assertThat(frozen.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(fixture.pool().query(askIsolation)).containsExactly("READ COMMITTED");
            assertThat(fixture.otherStore().claim(THEIRS, 10, Set.of())).isEmpty();

            await().pollInterval(Duration.ofMillis(50))
                    .atMost(Duration.ofSeconds(10))
                    .until(() ->
                            fixture.otherStore().claim(THEIRS, 10, Set.of()).size() == 3);
            thawed.countDown();
            assertThatThrownBy(() -> claim.get(20, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.UNAVAILABLE));
            relay.join();
        } finally {
            thawed.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
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
