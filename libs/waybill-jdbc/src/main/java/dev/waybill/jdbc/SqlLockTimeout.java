package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Limits how long a statement waits for another transaction's row lock, and leaves the session as it was, so that the
 * business code's own statements wait as long as before.
 */
enum SqlLockTimeout {
    /** Sets the limit for one statement, in front of it. */
    MARIADB("SET STATEMENT innodb_lock_wait_timeout = 1 FOR "),

    /** No hint of a statement knows this setting, so the session's is changed and put back. */
    MYSQL("") {
        @Override
        <T extends @Nullable Object> T during(Connection connection, Step<T> step) throws SQLException {
            execute(connection, "SET @waybill_wait = @@innodb_lock_wait_timeout, SESSION innodb_lock_wait_timeout = 1");
            T result;
            try {
                result = step.run();
            } catch (SQLException | RuntimeException e) {
                restore(connection, e);
                throw e;
            }
            execute(connection, PUT_BACK);
            return result;
        }

        private void restore(Connection connection, Exception cause) {
            try {
                execute(connection, PUT_BACK);
            } catch (SQLException e) {
                cause.addSuppressed(e); // the connection is gone, and the setting with it
            }
        }
    },

    /** Only for transactions of the store's own: the limit ends with the transaction. */
    POSTGRESQL("") {
        @Override
        <T extends @Nullable Object> T during(Connection connection, Step<T> step) throws SQLException {
            execute(connection, "SET LOCAL lock_timeout = '1s'");
            return step.run();
        }
    },

    /** The DataSource's LOCK_TIMEOUT applies, a second or two by default. */
    H2("");

    /** A statement, or a few. */
    interface Step<T extends @Nullable Object> {
        T run() throws SQLException;
    }

    private static final String PUT_BACK = "SET SESSION innodb_lock_wait_timeout = @waybill_wait";

    private final String prefix;

    SqlLockTimeout(String prefix) {
        this.prefix = prefix;
    }

    static SqlLockTimeout of(Dialect dialect) {
        return valueOf(dialect.name());
    }

    /** What stands in front of the statement. */
    String prefix() {
        return prefix;
    }

    /** Runs the step within the limit. */
    <T extends @Nullable Object> T during(Connection connection, Step<T> step) throws SQLException {
        return step.run();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
