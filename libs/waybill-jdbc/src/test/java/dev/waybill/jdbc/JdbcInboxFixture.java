package dev.waybill.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.servers.Database;
import dev.waybill.servers.SqlServer;
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
import java.util.UUID;

/** A consume log on a real database, with the plain SQL that tests need behind the store's back. */
final class JdbcInboxFixture implements InboxFixture {

    /** A side with what stands behind it. */
    private record Consumer(
            HikariDataSource pool, StatementCounter counter, JdbcTransactions transactions, Side side) {}

    private final Database database;
    private final TestInbox layout;
    private final Map<Isolation, Consumer> processes = new EnumMap<>(Isolation.class);
    private final InboxTable table;

    private JdbcInboxFixture(Database database, TestInbox layout) {
        this.database = database;
        this.layout = layout;
        for (Isolation isolation : Isolation.values()) {
            processes.put(isolation, process(isolation));
        }
        Ddl.apply(pool(), layout.mapping);
        Ddl.apply(pool(), layout.mapping); // twice does no harm
        execute("CREATE TABLE effects (name VARCHAR(200) NOT NULL)");
        try (Connection connection = pool().getConnection()) {
            this.table = InboxTable.open(connection, layout.mapping);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    static JdbcInboxFixture on(SqlServer server, TestInbox layout) {
        return new JdbcInboxFixture(server.freshDatabase(), layout);
    }

    static JdbcInboxFixture onH2(TestInbox layout) {
        String name = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=500";
        return new JdbcInboxFixture(new Database("h2", name, "sa", ""), layout);
    }

    private Consumer process(Isolation isolation) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(1);
        config.setTransactionIsolation("TRANSACTION_" + isolation);
        HikariDataSource pool = new HikariDataSource(config);
        StatementCounter counter = new StatementCounter();
        JdbcTransactions transactions = new JdbcTransactions(counter.over(pool));
        JdbcInboxStore store = JdbcInboxStore.builder(pool)
                .callerConnection(transactions)
                .mapping(layout.mapping)
                .build();
        return new Consumer(pool, counter, transactions, new Side(store, transactions));
    }

    private HikariDataSource pool() {
        return processes.get(Isolation.READ_COMMITTED).pool();
    }

    private Consumer of(Side side) {
        return processes.values().stream()
                .filter(process -> process.side().equals(side))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Side side(Isolation isolation) {
        return processes.get(isolation).side();
    }

    @Override
    public void dieAfter(Work work) {
        try (Connection connection =
                DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
            connection.setAutoCommit(false);
            work.with(JdbcInboxStore.builder(pool())
                    .callerConnection(() -> connection)
                    .mapping(layout.mapping)
                    .build());
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void effect(Side side, String name) {
        try (var insert = of(side).transactions().current().prepareStatement("INSERT INTO effects VALUES (?)")) {
            insert.setString(1, name);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw SqlErrors.translate("effect", "effects", e);
        }
    }

    @Override
    public List<String> effects() {
        return query("SELECT name FROM effects ORDER BY name");
    }

    @Override
    public long statements(Side side) {
        return of(side).counter().statements();
    }

    @Override
    public String lockWait(Side side) {
        return lockWait(of(side).transactions().current());
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
        try (Connection connection = pool().getConnection();
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
        execute("INSERT INTO " + layout.mapping.table() + " (" + String.join(", ", columns) + ") VALUES ("
                + String.join(", ", values) + ")");
    }

    @Override
    public void makeOld() {
        for (InboxColumn column : List.of(InboxColumn.CREATED_AT, InboxColumn.UPDATED_AT, InboxColumn.DONE_AT)) {
            if (layout.mapping.has(column)) {
                String name = layout.mapping.column(column);
                String earlier = switch (table.dialect()) {
                    case MYSQL, MARIADB -> name + " - INTERVAL 1 DAY";
                    case POSTGRESQL -> name + " - INTERVAL '1 day'";
                    case H2 -> "DATEADD(DAY, -1, " + name + ")";
                };
                execute("UPDATE " + layout.mapping.table() + " SET " + name + " = " + earlier);
            }
        }
    }

    @Override
    public void clear() {
        execute("DELETE FROM " + layout.mapping.table());
        execute("DELETE FROM effects");
    }

    @Override
    public Traits traits() {
        return layout.traits;
    }

    @Override
    public void close() {
        processes.values().forEach(process -> process.pool().close());
    }

    private void execute(String sql) {
        try (Connection connection = pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private List<String> query(String sql) {
        try (Connection connection = pool().getConnection();
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
