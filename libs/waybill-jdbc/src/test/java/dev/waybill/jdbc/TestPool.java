package dev.waybill.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** A pool of connections to a test's own database, and plain SQL over it. */
final class TestPool implements AutoCloseable {

    private final HikariDataSource connections;

    TestPool(Database database, Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(1);
        settings.accept(config);
        this.connections = new HikariDataSource(config);
    }

    TestPool(Database database) {
        this(database, config -> {});
    }

    /** An empty database inside this process. */
    static Database h2() {
        return h2("");
    }

    /** The same with more settings, each of them after a semicolon. */
    static Database h2(String settings) {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" + settings;
        return new Database("h2", url, "sa", "");
    }

    HikariDataSource connections() {
        return connections;
    }

    void execute(String sql) {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Moves a table's times a day into the past. */
    void makeOlder(Dialect dialect, String table, String column) {
        execute("UPDATE " + table + " SET " + column + " = " + earlier(dialect, column, "DAY"));
    }

    /** A time, one unit earlier. */
    static String earlier(Dialect dialect, String time, String unit) {
        return switch (dialect) {
            case MYSQL, MARIADB -> time + " - INTERVAL 1 " + unit;
            case POSTGRESQL -> time + " - INTERVAL '1 " + unit + "'";
            case H2 -> "DATEADD(" + unit + ", -1, " + time + ")";
        };
    }

    /** The first column of every row. */
    List<String> query(String sql) {
        return query(sql, 1);
    }

    List<String> query(String sql, int column) {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(column));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
