package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Short transactions of the stores' own, in READ COMMITTED: under REPEATABLE READ, MySQL and MariaDB lock the gaps
 * between rows too, and business inserts would wait. Connections go back to their pool as they came.
 */
final class SqlConnections {

    /** Applies to the next transaction only, so that the level before need not be asked for and restored. */
    private static final String READ_COMMITTED_NEXT = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED";

    /** Work on a connection. */
    interface Work<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }

    private final DataSource dataSource;
    private volatile int isolation = -1;

    SqlConnections(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Runs one statement, which is its own transaction. */
    <T extends @Nullable Object> T once(String verb, String table, Dialect dialect, Work<T> work) {
        return borrow(
                verb,
                table,
                connection -> isolated(dialect, connection, () -> {
                    T result = work.on(connection);
                    if (!connection.getAutoCommit()) {
                        connection.commit();
                    }
                    return result;
                }));
    }

    /** Runs several statements in one transaction. */
    <T extends @Nullable Object> T transaction(String verb, String table, Dialect dialect, Work<T> work) {
        return borrow(
                verb,
                table,
                connection -> isolated(dialect, connection, () -> {
                    boolean autoCommit = connection.getAutoCommit();
                    if (autoCommit) {
                        connection.setAutoCommit(false);
                    }
                    try {
                        T result = work.on(connection);
                        connection.commit();
                        return result;
                    } catch (SQLException | RuntimeException e) {
                        rollback(connection, e);
                        throw e;
                    } finally {
                        if (autoCommit) {
                            connection.setAutoCommit(true);
                        }
                    }
                }));
    }

    /** A connection as it comes, for reading. */
    <T extends @Nullable Object> T borrow(String verb, String table, Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return work.on(connection);
        } catch (SQLException e) {
            throw SqlErrors.translate(verb, table, e);
        }
    }

    private interface Step<T extends @Nullable Object> {
        T run() throws SQLException;
    }

    private <T extends @Nullable Object> T isolated(Dialect dialect, Connection connection, Step<T> step)
            throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback(); // the pool's test of the connection may have begun a transaction
        }
        if (dialect.isMySqlFamily()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(READ_COMMITTED_NEXT);
            }
            return step.run();
        }
        int before = isolationOfThePool(connection);
        if (before == Connection.TRANSACTION_READ_COMMITTED) {
            return step.run();
        }
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        try {
            return step.run();
        } finally {
            connection.setTransactionIsolation(before);
        }
    }

    /** Asked once: it costs a round trip, and a pool gives all its connections the same level. */
    private int isolationOfThePool(Connection connection) throws SQLException {
        if (isolation < 0) {
            isolation = connection.getTransactionIsolation();
            if (!connection.getAutoCommit()) {
                connection.rollback(); // asking began a transaction
            }
        }
        return isolation;
    }

    private static void rollback(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
