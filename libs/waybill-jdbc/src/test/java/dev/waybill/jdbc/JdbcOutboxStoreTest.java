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
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
    private static final Lease LONG = new Lease("long", Duration.ofMinutes(1));
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
    void aLaxSessionCutsNoEventOffOnMariaDb(MariaDb server) {
        laxSessionsCutNothingOff(server);
    }

    @Test
    void aLaxSessionCutsNoEventOffOnMySql(MySql server) {
        laxSessionsCutNothingOff(server);
    }

    private static void laxSessionsCutNothingOff(SqlServer server) {
        try (TestPool pool = new TestPool(
                server.freshDatabase(), config -> config.setConnectionInitSql("SET SESSION sql_mode = ''"))) {
            Ddl.apply(pool.connections(), OutboxLayouts.tOutboxEvent());
            JdbcTransactions transactions = new JdbcTransactions(pool.connections());
            OutboxStore store = JdbcOutboxStore.builder(pool.connections())
                    .callerConnection(transactions)
                    .mapping(OutboxLayouts.tOutboxEvent())
                    .build();
            Event fits = withNote("x".repeat(60_000));
            Event cut = withNote("\u4e2d".repeat(21_900));

            append(transactions, store, fits);
            assertThatThrownBy(() -> append(transactions, store, cut))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.VALUE))
                    .hasMessageContaining(cut.eventId())
                    .hasMessageContaining("t_outbox_event.payload_json holds 65535 bytes");
            assertThatThrownBy(() -> append(
                            transactions,
                            store,
                            fits.toBuilder().eventId("x".repeat(65)).build()))
                    .hasMessageContaining("t_outbox_event.event_id holds 64 characters");
            assertThat(pool.query("SELECT event_id FROM t_outbox_event")).containsExactly(fits.eventId());

            pool.execute("ALTER TABLE t_outbox_event MODIFY payload_json MEDIUMTEXT NOT NULL");
            append(transactions, store, cut);
            assertThat(ClaimedRow.events(store.claim(MINE, 10, Set.of())))
                    .extracting(row -> row.event().payload())
                    .containsExactlyInAnyOrder(fits.payload(), cut.payload());
        }
    }

    private static Event withNote(String note) {
        return Event.builder("OrderCreated")
                .bizKey("order")
                .payload("{\"note\":\"" + note + "\"}")
                .build();
    }

    private static void append(JdbcTransactions transactions, OutboxStore store, Event event) {
        transactions.inTransaction(() -> store.append(List.of(event), null));
    }

    @Test
    void aReadOnlyConnectionIsRefusedOnMySql(MySql server) {
        isRefusedWhenReadOnly(server.freshDatabase());
    }

    @Test
    void aReadOnlyConnectionIsRefusedOnPostgreSql(PostgreSql server) {
        isRefusedWhenReadOnly(server.freshDatabase());
    }

    private static void isRefusedWhenReadOnly(Database database) {
        try (TestPool writing = new TestPool(database);
                TestPool reading = new TestPool(database, config -> config.setReadOnly(true))) {
            Ddl.apply(writing.connections(), OutboxLayouts.waybill());
            JdbcTransactions transactions = new JdbcTransactions(reading.connections());
            OutboxStore store = JdbcOutboxStore.builder(reading.connections())
                    .callerConnection(transactions)
                    .mapping(OutboxLayouts.waybill())
                    .build();
            assertThatThrownBy(() -> append(transactions, store, withNote("x")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("read-only");
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
    void largePayloadsAreReadOnlyWhenTheirRowsAreTakenOnMariaDb(MariaDb server) {
        largePayloadsAreReadOnlyWhenTheirRowsAreTaken(server.freshDatabase());
    }

    @Test
    void largePayloadsAreReadOnlyWhenTheirRowsAreTakenOnMySql(MySql server) {
        largePayloadsAreReadOnlyWhenTheirRowsAreTaken(server.freshDatabase());
    }

    @Test
    void largePayloadsAreReadOnlyWhenTheirRowsAreTakenOnPostgreSql(PostgreSql server) {
        largePayloadsAreReadOnlyWhenTheirRowsAreTaken(server.freshDatabase());
    }

    @Test
    void largePayloadsAreReadOnlyWhenTheirRowsAreTakenOnH2() {
        largePayloadsAreReadOnlyWhenTheirRowsAreTaken(TestPool.h2());
    }

    /** Sizes around the borders: with the lock, read later, larger than a transaction's share, larger than the whole limit. */
    private static void largePayloadsAreReadOnlyWhenTheirRowsAreTaken(Database database) {
        List<Integer> sizes = List.of(10, 70_000, 3_000_000, 3_000_000, 5_000_000, 100, 9_000_000, 1_000_000, 20);
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(database, TestTable.WAYBILL)) {
            List<Event> events = appendSized(fixture, sizes);
            List<ClaimedEvent> all = new ArrayList<>();
            int claims = 0;
            while (all.size() < events.size() && claims++ < 20) {
                List<ClaimedEvent> some =
                        ClaimedRow.events(fixture.store().claim(MINE, new ClaimLimit(100, 8_000_000), Set.of()));
                assertThat(some).isNotEmpty();
                long bytes = some.stream()
                        .mapToLong(each -> each.event().payload().length())
                        .sum();
                assertThat(some.size() == 1 || bytes < 8_100_000)
                        .as("%d bytes in %d rows", bytes, some.size())
                        .isTrue();
                all.addAll(some);
            }
            assertThat(all).extracting(ClaimedEvent::event).containsExactlyElementsOf(events);
        }
    }

    private static List<Event> appendSized(JdbcOutboxFixture fixture, List<Integer> sizes) {
        List<Event> events = sizes.stream()
                .map(size -> event().toBuilder()
                        .payload("{\"text\":\"" + "x".repeat(size) + "\"}")
                        .build())
                .toList();
        for (Event event : events) {
            fixture.inTransaction(() -> fixture.store().append(List.of(event), null));
        }
        return events;
    }

    @Test
    void aRowLargerThanATransactionsShareDoesNotEndItsClaim(MariaDb server) {
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(server.freshDatabase(), TestTable.WAYBILL)) {
            List<Event> events = appendSized(fixture, List.of(10, 5_000_000, 20, 6_000_000, 30));

            List<ClaimedRow> claimed = fixture.store().claim(LONG, new ClaimLimit(100, 20_000_000), Set.of());

            assertThat(ClaimedRow.events(claimed))
                    .extracting(ClaimedEvent::event)
                    .containsExactlyElementsOf(events);
        }
    }

    @Test
    void aClaimOfLargeRowsLocksHardlyMoreThanItTakesOnMariaDb(MariaDb server) {
        locksHardlyMoreThanItTakes(server.freshDatabase(), "information_schema.global_status");
    }

    @Test
    void aClaimOfLargeRowsLocksHardlyMoreThanItTakesOnMySql(MySql server) {
        locksHardlyMoreThanItTakes(server.freshDatabase(), "performance_schema.global_status");
    }

    /** The server reads a large payload whole to tell its size: rows that are locked in vain are read in vain. */
    private static void locksHardlyMoreThanItTakes(Database database, String status) {
        int rows = 40;
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(database, TestTable.WAYBILL)) {
            appendSized(fixture, Collections.nCopies(rows, 1_000_000));
            String counter = "SELECT variable_value FROM " + status + " WHERE variable_name = 'Handler_read_next'";
            long before = Long.parseLong(fixture.pool().query(counter).get(0));

            assertThat(fixture.store().claim(LONG, new ClaimLimit(100, 60_000_000), Set.of()))
                    .hasSize(rows);

            long read = Long.parseLong(fixture.pool().query(counter).get(0)) - before;
            assertThat(read)
                    .as("all of them once, to learn their size, and then four at a time")
                    .isLessThan(3L * rows);
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
