package dev.waybill.jdbc;

import dev.waybill.servers.Database;
import dev.waybill.store.AuditReader;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.OutboxStore;
import dev.waybill.testkit.OutboxFixture;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A layout on a real database, with the plain SQL that tests need beside the store. */
final class JdbcOutboxFixture implements OutboxFixture {

    private final TestPool pool;
    private final TestTable layout;
    private final JdbcTransactions transactions;
    private final OutboxStore store;
    private final OutboxStore otherStore;
    private final OutboxTable table;

    JdbcOutboxFixture(Database database, TestTable layout) {
        this(database, layout, (pool, mapping) -> Ddl.apply(pool, mapping));
    }

    /** Waybill's own table in partitions of an hour. */
    static JdbcOutboxFixture inPartitions(Database database) {
        return new JdbcOutboxFixture(
                database,
                TestTable.WAYBILL_IN_PARTITIONS,
                (pool, mapping) -> Ddl.apply(
                        pool, mapping, Duration.ofHours(1), Clock.systemUTC().instant()));
    }

    private JdbcOutboxFixture(Database database, TestTable layout, BiConsumer<DataSource, OutboxMapping> ddl) {
        this.pool = new TestPool(database);
        this.layout = layout;
        this.transactions = new JdbcTransactions(pool.connections());
        ddl.accept(pool.connections(), layout.mapping);
        ddl.accept(pool.connections(), layout.mapping); // a second time must change nothing
        this.store = JdbcOutboxStore.builder(pool.connections())
                .callerConnection(transactions)
                .mapping(layout.mapping)
                .source("shop")
                .build();
        this.otherStore = JdbcOutboxStore.builder(pool.connections())
                .mapping(layout.mapping)
                .source("shop")
                .build();
        try (Connection connection = pool.connections().getConnection()) {
            this.table = OutboxTable.open(connection, layout.mapping, "shop");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    TestPool pool() {
        return pool;
    }

    @Override
    public OutboxStore store() {
        return store;
    }

    @Override
    public OutboxStore otherStore() {
        return otherStore;
    }

    @Override
    public OutboxStore storeThatPauses(Runnable beforeCommit) {
        return JdbcOutboxStore.builder(new PausingDataSource(pool.connections(), beforeCommit))
                .mapping(layout.mapping)
                .source("shop")
                .build();
    }

    @Override
    public OutboxReader reader() {
        return new JdbcOutboxReader(pool.connections(), layout.mapping, "shop");
    }

    @Override
    public AuditReader auditReader() {
        return new JdbcAuditReader(pool.connections(), layout.mapping);
    }

    @Override
    public <T> T inTransaction(Supplier<T> work) {
        try {
            return transactions.<T, RuntimeException>call(connection -> work.get());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void clear() {
        pool.execute("DELETE FROM " + layout.mapping.table());
        pool.execute("DELETE FROM waybill_audit");
        pool.execute("DELETE FROM waybill_attempt");
    }

    @Override
    public void makeDue() {
        String earlier = TestPool.earlier(table.dialect(), "{due}", "HOUR");
        pool.execute(table.sql("UPDATE {table} SET {due} = " + earlier + " WHERE {status} IN ({claimable})"));
    }

    @Override
    public void makeOld() {
        Stream.of(OutboxColumn.CREATED_AT, OutboxColumn.OCCURRED_AT, OutboxColumn.UPDATED_AT, OutboxColumn.SENT_AT)
                .filter(table::has)
                .forEach(time -> pool.makeOlder(table.dialect(), layout.mapping.table(), column(time)));
        pool.makeOlder(table.dialect(), "waybill_audit", "decided_at");
        pool.makeOlder(table.dialect(), "waybill_attempt", "failed_at");
    }

    @Override
    public int attemptRecords() {
        return pool.query("SELECT id FROM waybill_attempt").size();
    }

    @Override
    public void removeDue() {
        pool.execute(table.sql("UPDATE {table} SET {due} = NULL WHERE {status} IN ({claimable})"));
    }

    @Override
    public StoredRow row(ClaimedRow claimed) {
        String sql = table.sql("SELECT t.*, {dueMicros} AS wb_due, {clock} AS wb_clock FROM {table} t WHERE {keyed}");
        try (Connection connection = pool.connections().getConnection()) {
            List<StoredRow> rows = table.keyed(new SqlCall(sql), List.of(claimed.rowKey()))
                    .query(connection, row -> stored(row, claimed));
            return rows.isEmpty() ? null : rows.get(0);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private StoredRow stored(ResultSet row, ClaimedRow claimed) throws SQLException {
        StringBuilder everything = new StringBuilder();
        for (int i = 1; i <= row.getMetaData().getColumnCount() - 2; i++) {
            everything.append(row.getString(i)).append('|');
        }
        int attempts = row.getInt(column(OutboxColumn.ATTEMPTS));
        return new StoredRow(
                state(row.getString(column(OutboxColumn.STATUS)), attempts),
                attempts,
                error(row, claimed),
                layout.mapping.has(OutboxColumn.BROKER_ID) ? row.getString(column(OutboxColumn.BROKER_ID)) : null,
                layout.mapping.has(OutboxColumn.SENT_AT) && row.getString(column(OutboxColumn.SENT_AT)) != null,
                Duration.of(row.getLong("wb_due") - row.getLong("wb_clock"), ChronoUnit.MICROS),
                everything.toString());
    }

    private String column(OutboxColumn column) {
        return layout.mapping.column(column);
    }

    private RowState state(String word, int attempts) {
        if (layout.mapping.claimable().contains(word)) {
            return attempts == 0 ? RowState.WAITING : RowState.RETRYING;
        }
        for (OutboxState state : List.of(OutboxState.SENT, OutboxState.DEAD, OutboxState.DISCARDED)) {
            if (word.equals(layout.mapping.word(state))) {
                return RowState.valueOf(state.name());
            }
        }
        throw new IllegalStateException("status " + word);
    }

    private String error(ResultSet row, ClaimedRow claimed) throws SQLException {
        if (layout.mapping.has(OutboxColumn.ERROR)) {
            return row.getString(column(OutboxColumn.ERROR));
        }
        if (state(row.getString(column(OutboxColumn.STATUS)), 1) == RowState.SENT) {
            return null; // the other table is a history; the row itself has nothing to show
        }
        List<String> errors = pool.query("SELECT error FROM waybill_attempt WHERE outbox_table = '"
                + layout.mapping.table() + "' AND event_id = '" + claimed.eventId() + "' ORDER BY id DESC");
        return errors.isEmpty() ? null : errors.get(0);
    }

    @Override
    public ForeignRow insertForeign(int number) {
        pool.execute(layout.foreignInsert(number).replace("{now}", table.times().now()));
        return layout.foreignRow(number);
    }

    @Override
    public void insertUnreadable() {
        pool.execute(layout.unreadable.replace("{now}", table.times().now()));
    }

    @Override
    public List<String> audit() {
        return pool.query(
                "SELECT CONCAT(action, ' ', actor, ' ', reason, ' ', event_id) FROM waybill_audit ORDER BY id");
    }

    @Override
    public Traits traits() {
        return layout.traits(table.dialect());
    }

    @Override
    public void close() {
        pool.close();
    }
}
