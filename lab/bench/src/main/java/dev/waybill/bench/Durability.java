package dev.waybill.bench;

import dev.waybill.servers.PrivateServers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Makes sure that a commit is on disk: MariaDB flushes log and binlog at each commit (set for the run and taken back),
 * PostgreSQL commits synchronously (checked). RocketMQ's private broker always flushes before it answers, and on RabbitMQ
 * queues are durable and messages persistent.
 */
final class Durability implements AutoCloseable {

    private static final Map<String, String> MARIADB =
            Map.of("innodb_flush_log_at_trx_commit", "1", "sync_binlog", "1");

    private static final Map<String, String> POSTGRESQL =
            Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

    private final PrivateServers servers;
    private final Map<String, String> before = new LinkedHashMap<>();

    Durability(PrivateServers servers) {
        this.servers = servers;
        try (Connection mariaDb = servers.mariaDb().adminConnection();
                Connection postgreSql = servers.postgreSql().adminConnection()) {
            for (Map.Entry<String, String> setting : MARIADB.entrySet()) {
                before.put(setting.getKey(), ask(mariaDb, "SELECT @@GLOBAL." + setting.getKey()));
                run(mariaDb, "SET GLOBAL " + setting.getKey() + " = " + setting.getValue());
            }
            for (Map.Entry<String, String> setting : POSTGRESQL.entrySet()) {
                String value = ask(postgreSql, "SHOW " + setting.getKey());
                if (!value.equals(setting.getValue())) {
                    throw new IllegalStateException("PostgreSQL runs with " + setting.getKey() + " = " + value);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    String text() {
        return "durable: MariaDB " + MARIADB + ", PostgreSQL " + POSTGRESQL;
    }

    @Override
    public void close() {
        try (Connection mariaDb = servers.mariaDb().adminConnection()) {
            for (Map.Entry<String, String> setting : before.entrySet()) {
                run(mariaDb, "SET GLOBAL " + setting.getKey() + " = " + setting.getValue());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String ask(Connection connection, String question) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
