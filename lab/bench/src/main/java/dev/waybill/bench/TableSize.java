package dev.waybill.bench;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The size of the outbox's files on disk, all partitions together, as the server reads it from the file system. */
final class TableSize {

    private static final String MARIADB = """
            SELECT SUM(FILE_SIZE) FROM information_schema.INNODB_SYS_TABLESPACES
            WHERE NAME LIKE CONCAT(?, '/waybill@_outbox%') ESCAPE '@'""";

    private static final String POSTGRESQL = """
            SELECT SUM(pg_total_relation_size(oid)) FROM pg_class
            WHERE relname LIKE 'waybill@_outbox%' ESCAPE '@' AND relkind = 'r' AND current_database() = ?""";

    private final PrivateServers servers;
    private final RunningContender running;

    TableSize(PrivateServers servers, RunningContender running) {
        this.servers = servers;
        this.running = running;
    }

    double megabytes() {
        boolean postgreSql = running.environment().database() == Server.POSTGRESQL;
        try (Connection connection = connection(postgreSql);
                PreparedStatement statement = connection.prepareStatement(postgreSql ? POSTGRESQL : MARIADB)) {
            statement.setString(1, running.database().name());
            return size(statement);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static double size(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1) / 1e6;
        }
    }

    private Connection connection(boolean postgreSql) throws SQLException {
        return postgreSql
                ? DriverManager.getConnection(
                        running.database().jdbcUrl(),
                        running.database().user(),
                        running.database().password())
                : servers.mariaDb().adminConnection();
    }
}
