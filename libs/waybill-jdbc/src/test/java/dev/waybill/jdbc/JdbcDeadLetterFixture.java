package dev.waybill.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.servers.Database;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.testkit.DeadLetterFixture;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Kept letters on a real database. */
final class JdbcDeadLetterFixture implements DeadLetterFixture {

    private final HikariDataSource pool;
    private final JdbcDeadLetterStore store;

    private JdbcDeadLetterFixture(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(1);
        this.pool = new HikariDataSource(config);
        Ddl.applyDeadLetters(pool);
        Ddl.applyDeadLetters(pool); // twice does no harm
        this.store = new JdbcDeadLetterStore(pool);
        store.verify();
    }

    static JdbcDeadLetterFixture on(SqlServer server) {
        return new JdbcDeadLetterFixture(server.freshDatabase());
    }

    static JdbcDeadLetterFixture onH2() {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        return new JdbcDeadLetterFixture(new Database("h2", url, "sa", ""));
    }

    @Override
    public DeadLetterStore store() {
        return store;
    }

    @Override
    public DeadLetterStore restarted() {
        return new JdbcDeadLetterStore(pool);
    }

    @Override
    public List<String> audit() {
        String ask = "SELECT CONCAT(action, ' ', actor, ' ', reason, ' ', letter_id, ' ', event_id, ' ', event)"
                + " FROM waybill_audit WHERE outbox_table = 'waybill_dead_letter' ORDER BY id";
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(ask)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                rows.add(result.getString(1));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void clear() {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM waybill_dead_letter");
            statement.execute("DELETE FROM waybill_audit");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
