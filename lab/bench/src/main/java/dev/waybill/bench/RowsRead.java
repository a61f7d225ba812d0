package dev.waybill.bench;

import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** How many rows and index entries a database has read, as it counts them itself once the sessions that read them have ended. */
final class RowsRead {

    private static final String MARIADB = """
            SELECT SUM(CAST(variable_value AS UNSIGNED)) FROM information_schema.global_status
            WHERE variable_name LIKE 'HANDLER\\_READ\\_%' AND variable_name NOT LIKE '%DELETED'""";

    private static final String POSTGRESQL =
            "SELECT COALESCE(SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)), 0) FROM pg_stat_user_tables";

    private final Database database;

    RowsRead(Database database) {
        this.database = database;
    }

    long count() {
        boolean postgreSql = database.jdbcUrl().startsWith("jdbc:postgresql:");
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(postgreSql ? POSTGRESQL : MARIADB)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
