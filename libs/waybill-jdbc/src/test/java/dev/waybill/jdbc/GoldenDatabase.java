package dev.waybill.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** The database whose statements are recorded, with a way past the recording for preparing rows. */
final class GoldenDatabase implements AutoCloseable {

    private final HikariDataSource pool;
    private final Dialect dialect;

    GoldenDatabase(Database database, Dialect dialect) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(2);
        this.pool = new HikariDataSource(config);
        this.dialect = dialect;
    }

    DataSource dataSource() {
        return pool;
    }

    boolean is(Dialect other) {
        return dialect == other;
    }

    GoldenSql record(String role) {
        return new GoldenSql(pool, role + " on " + dialect.key() + ", as GoldenSqlTest recorded it");
    }

    void execute(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
