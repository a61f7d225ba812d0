package dev.waybill.jdbc;

import dev.waybill.servers.Database;
import dev.waybill.testkit.InboxFixture;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A consume log on a real database, with the plain SQL that tests need beside the store. */
final class JdbcInboxFixture implements InboxFixture {

    /** A consumer's process, with the connections that its statements go over. */
    private record Consumer(
            TestPool pool, StatementCounter counter, JdbcTransactions transactions, InboxProcess process) {}

    private final Database database;
    private final TestInbox layout;
    private final Map<Isolation, Consumer> consumers = new EnumMap<>(Isolation.class);
    private final InboxTable table;

    JdbcInboxFixture(Database database, TestInbox layout) {
        this.database = database;
        this.layout = layout;
        for (Isolation isolation : Isolation.values()) {
            consumers.put(isolation, consumer(isolation));
        }
        Ddl.apply(pool().connections(), layout.mapping);
        Ddl.apply(pool().connections(), layout.mapping); // a second time must change nothing
        pool().execute("CREATE TABLE effects (name VARCHAR(200) NOT NULL)");
        try (Connection connection = pool().connections().getConnection()) {
            this.table = InboxTable.open(connection, layout.mapping);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** H2 with a short wait for locks, because some tests hold one until another transaction gives up. */
    static Database h2() {
        return TestPool.h2(";LOCK_TIMEOUT=500");
    }

    private Consumer consumer(Isolation isolation) {
        TestPool pool = new TestPool(database, config -> config.setTransactionIsolation("TRANSACTION_" + isolation));
        StatementCounter counter = new StatementCounter();
        JdbcTransactions transactions = new JdbcTransactions(counter.over(pool.connections()));
        JdbcInboxStore store = JdbcInboxStore.builder(pool.connections())
                .callerConnection(transactions)
                .mapping(layout.mapping)
                .build();
        return new Consumer(pool, counter, transactions, new InboxProcess(store, transactions));
    }

    private TestPool pool() {
        return consumers.get(Isolation.READ_COMMITTED).pool();
    }

    private Consumer of(InboxProcess process) {
        return consumers.values().stream()
                .filter(consumer -> consumer.process().equals(process))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public InboxProcess process(Isolation isolation) {
        return consumers.get(isolation).process();
    }

    @Override
    public void dieAfter(Work work) {
        try (Connection connection =
                DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
            connection.setAutoCommit(false);
            work.with(JdbcInboxStore.builder(pool().connections())
                    .callerConnection(() -> connection)
                    .mapping(layout.mapping)
                    .build());
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void effect(InboxProcess process, String name) {
        try (var insert = of(process).transactions().current().prepareStatement("INSERT INTO effects VALUES (?)")) {
            insert.setString(1, name);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw SqlErrors.translate("effect", "effects", e);
        }
    }

    @Override
    public List<String> effects() {
        return pool().query("SELECT name FROM effects ORDER BY name");
    }

    @Override
    public long statements(InboxProcess process) {
        return of(process).counter().statements();
    }

    @Override
    public String lockWait(InboxProcess process) {
        return lockWait(of(process).transactions().current());
    }

    @Override
    public String usualLockWait() {
        try (Connection fresh = DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
            return lockWait(fresh);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private String lockWait(Connection connection) {
        String ask = switch (table.dialect()) {
            case MYSQL, MARIADB -> "SELECT @@innodb_lock_wait_timeout";
            case POSTGRESQL -> "SHOW lock_timeout";
            case H2 -> "SELECT LOCK_TIMEOUT()";
        };
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(ask)) {
            result.next();
            return result.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public StoredRow row(String eventId, String group) {
        String where = " WHERE " + layout.mapping.column(InboxColumn.EVENT_ID) + " = '" + eventId + "' AND "
                + layout.mapping.column(InboxColumn.GROUP) + " = '" + group + "'";
        try (Connection connection = pool().connections().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT * FROM " + layout.mapping.table() + where)) {
            return row.next() ? stored(row) : null;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private StoredRow stored(ResultSet row) throws SQLException {
        StringBuilder everything = new StringBuilder();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
            everything.append(row.getString(i)).append('|');
        }
        String state = text(row, InboxColumn.STATUS);
        String attempts = text(row, InboxColumn.ATTEMPTS);
        return new StoredRow(
                state == null || layout.mapping.doneWords().contains(state),
                state,
                attempts == null ? 0 : Integer.parseInt(attempts),
                text(row, InboxColumn.ERROR),
                text(row, InboxColumn.COST_MS) != null,
                everything.toString());
    }

    private String text(ResultSet row, InboxColumn column) throws SQLException {
        return layout.mapping.has(column) ? row.getString(layout.mapping.column(column)) : null;
    }

    @Override
    public void insertStale(String eventId, String group) {
        List<String> columns = new ArrayList<>();
        List<String> values = new ArrayList<>();
        layout.mapping.columns().forEach((column, name) -> {
            String value = switch (column) {
                case EVENT_ID -> "'" + eventId + "'";
                case GROUP -> "'" + group + "'";
                case TYPE -> "'OrderCreated'";
                case STATUS -> "'" + layout.mapping.word(InboxState.PROCESSING) + "'";
                case CREATED_AT -> "CURRENT_TIMESTAMP";
                default -> null;
            };
            if (value != null) {
                columns.add(name);
                values.add(value);
            }
        });
        pool().execute("INSERT INTO " + layout.mapping.table() + " (" + String.join(", ", columns) + ") VALUES ("
                + String.join(", ", values) + ")");
    }

    @Override
    public void makeOld() {
        for (InboxColumn column : List.of(InboxColumn.CREATED_AT, InboxColumn.UPDATED_AT, InboxColumn.DONE_AT)) {
            if (layout.mapping.has(column)) {
                pool().makeOlder(table.dialect(), layout.mapping.table(), layout.mapping.column(column));
            }
        }
    }

    @Override
    public void clear() {
        pool().execute("DELETE FROM " + layout.mapping.table());
        pool().execute("DELETE FROM effects");
    }

    @Override
    public Traits traits() {
        return layout.traits;
    }

    @Override
    public void close() {
        consumers.values().forEach(consumer -> consumer.pool().close());
    }
}
