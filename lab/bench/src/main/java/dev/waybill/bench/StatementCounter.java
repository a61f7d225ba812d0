package dev.waybill.bench;

import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** How many statements a database has run, as it counts them itself; commits and settings of sessions are not counted. */
final class StatementCounter {

    private static final String MARIADB = """
            SELECT SUM(CAST(variable_value AS UNSIGNED)) FROM information_schema.global_status
            WHERE variable_name IN ('COM_SELECT', 'COM_INSERT', 'COM_UPDATE', 'COM_DELETE', 'COM_INSERT_SELECT',
              'COM_UPDATE_MULTI', 'COM_DELETE_MULTI', 'COM_REPLACE')""";

    private static final String POSTGRESQL = """
            SELECT COALESCE(SUM(calls), 0) FROM pg_stat_statements
            WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
              AND query ~* '^\\s*(SELECT|INSERT|UPDATE|DELETE|WITH)'""";

    private final Database database;

    StatementCounter(Database database) {
        this.database = database;
    }

    long count() {
        String question = database.jdbcUrl().startsWith("jdbc:postgresql:") ? POSTGRESQL : MARIADB;
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
