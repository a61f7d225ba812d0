package dev.waybill.faults;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.SqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** INSERT, UPDATE, SELECT and DELETE as the server itself counts them, or what it reads for them. */
final class StatementCounter {

    private static final String STATUS = "SHOW GLOBAL STATUS WHERE Variable_name IN"
            + " ('Com_insert', 'Com_update', 'Com_select', 'Com_delete', 'Com_update_multi', 'Com_delete_multi',"
            + " 'Com_insert_select', 'Com_replace')";
    private static final String MARIADB_READS = "SHOW GLOBAL STATUS LIKE 'Handler_read_next'";

    private final SqlServer server;
    private final String query;

    private StatementCounter(SqlServer server, String query) {
        this.server = server;
        this.query = query;
    }

    static StatementCounter at(MariaDb server) {
        return new StatementCounter(server, STATUS);
    }

    static StatementCounter at(MySql server) {
        return new StatementCounter(server, STATUS);
    }

    static StatementCounter at(PostgreSql server, NodeSettings spec) {
        return new StatementCounter(server, postgreSql("calls", spec));
    }

    /** Counts the index entries that are walked over. */
    static StatementCounter readsAt(MariaDb server) {
        return new StatementCounter(server, MARIADB_READS);
    }

    /** Counts the pages that are looked at. */
    static StatementCounter readsAt(PostgreSql server, NodeSettings spec) {
        return new StatementCounter(server, postgreSql("shared_blks_hit + s.shared_blks_read", spec));
    }

    private static String postgreSql(String column, NodeSettings spec) {
        String url = spec.text("url");
        String path = url.substring(url.lastIndexOf('/') + 1);
        return String.format(
                "SELECT 'sum', COALESCE(SUM(s.%s), 0) FROM pg_stat_statements s"
                        + " JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = '%s'"
                        + " AND s.query ~* '^\\s*(insert|update|select|delete|with)'",
                column, path.split("\\?", -1)[0]);
    }

    long count() {
        try (Connection connection = server.adminConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            long sum = 0;
            while (rows.next()) {
                sum += rows.getLong(2);
            }
            return sum;
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }
}
