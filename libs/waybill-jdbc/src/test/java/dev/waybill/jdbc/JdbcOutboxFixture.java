package dev.waybill.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.servers.Database;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.OutboxStore;
import dev.waybill.testkit.OutboxFixture;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** A layout on a real database, with the plain SQL that tests need behind the store's back. */
final class JdbcOutboxFixture implements OutboxFixture {

    private final HikariDataSource pool;
    private final TestTable layout;
    private final JdbcTransactions transactions;
    private final OutboxStore store;
    private final OutboxStore otherStore;
    private final OutboxTable table;

    private JdbcOutboxFixture(String url, String user, String password, TestTable layout) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(2);
        this.pool = new HikariDataSource(config);
        this.layout = layout;
        this.transactions = new JdbcTransactions(pool);
        Ddl.apply(pool, layout.mapping);
        Ddl.apply(pool, layout.mapping); // twice does no harm
        this.store = JdbcOutboxStore.builder(pool)
                .callerConnection(transactions)
                .mapping(layout.mapping)
                .source("shop")
                .build();
        this.otherStore = JdbcOutboxStore.builder(pool)
                .mapping(layout.mapping)
                .source("shop")
                .build();
        try (Connection connection = pool.getConnection()) {
            this.table = OutboxTable.open(connection, layout.mapping, "shop");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static JdbcOutboxFixture on(SqlServer server, TestTable layout) {
        Database database = server.freshDatabase();
        return new JdbcOutboxFixture(database.jdbcUrl(), database.user(), database.password(), layout);
    }

    static JdbcOutboxFixture onH2(TestTable layout) {
        return new JdbcOutboxFixture("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "", layout);
    }

    HikariDataSource pool() {
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
        return JdbcOutboxStore.builder(new PausingDataSource(pool, beforeCommit))
                .mapping(layout.mapping)
                .source("shop")
                .build();
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
        execute("DELETE FROM " + layout.mapping.table());
        execute("DELETE FROM waybill_audit");
        if (!layout.mapping.has(OutboxColumn.ERROR)) {
            execute("DELETE FROM waybill_attempt");
        }
    }

    @Override
    public void makeDue() {
        String earlier = switch (table.dialect()) {
            case MYSQL, MARIADB -> "{due} - INTERVAL 1 HOUR";
            case POSTGRESQL -> "{due} - INTERVAL '1 hour'";
            case H2 -> "DATEADD(HOUR, -1, {due})";
        };
        execute(table.sql("UPDATE {table} SET {due} = " + earlier + " WHERE {status} IN ({claimable})"));
    }

    @Override
    public void forgetDue() {
        execute(table.sql("UPDATE {table} SET {due} = NULL WHERE {status} IN ({claimable})"));
    }

    @Override
    public StoredRow row(ClaimedRow claimed) {
        String sql = table.sql("SELECT t.*, {dueFace} AS wb_due, {clock} AS wb_clock FROM {table} t WHERE {keyed}");
        try (Connection connection = pool.getConnection()) {
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
                standing(row.getString(column(OutboxColumn.STATUS)), attempts),
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

    private Standing standing(String word, int attempts) {
        if (layout.mapping.claimable().contains(word)) {
            return attempts == 0 ? Standing.WAITING : Standing.RETRYING;
        }
        for (OutboxState state : List.of(OutboxState.SENT, OutboxState.DEAD, OutboxState.DISCARDED)) {
            if (word.equals(layout.mapping.word(state))) {
                return Standing.valueOf(state.name());
            }
        }
        throw new IllegalStateException("status " + word);
    }

    private String error(ResultSet row, ClaimedRow claimed) throws SQLException {
        if (layout.mapping.has(OutboxColumn.ERROR)) {
            return row.getString(column(OutboxColumn.ERROR));
        }
        List<String> errors = query("SELECT error FROM waybill_attempt WHERE outbox_table = '" + layout.mapping.table()
                + "' AND event_id = '" + claimed.eventId() + "' ORDER BY id DESC");
        return errors.isEmpty() ? null : errors.get(0);
    }

    @Override
    public ForeignRow insertForeign(int number) {
        execute(layout.foreignInsert(number).replace("{now}", table.times().now()));
        return layout.foreignRow(number);
    }

    @Override
    public void insertUnreadable() {
        execute(layout.unreadable.replace("{now}", table.times().now()));
    }

    @Override
    public List<String> audit() {
        return query("SELECT CONCAT(action, ' ', actor, ' ', reason, ' ', event_id) FROM waybill_audit ORDER BY id");
    }

    @Override
    public Traits traits() {
        return layout.traits(table.dialect());
    }

    @Override
    public void close() {
        pool.close();
    }

    void execute(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    List<String> query(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
