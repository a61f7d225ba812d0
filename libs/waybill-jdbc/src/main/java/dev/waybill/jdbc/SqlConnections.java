package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
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
    private final SqlIdleLimit idleLimit = new SqlIdleLimit();
    private final @Nullable SqlAnswerLimit answerLimit;
    private volatile int isolation = -1;

    /** Waits for answers as long as the pool's own settings say: a report over many rows may take its time. */
    SqlConnections(DataSource dataSource) {
        this(dataSource, null);
    }

    SqlConnections(DataSource dataSource, @Nullable SqlAnswerLimit answerLimit) {
        this.dataSource = dataSource;
        this.answerLimit = answerLimit;
    }

    /** How long a transaction of ours may be silent before the server ends it, and the server before we do. */
    void followLease(Duration lease) {
        idleLimit.followLease(lease);
        if (answerLimit != null) {
            answerLimit.followLease(lease);
        }
    }

    /** Runs one statement, which is its own transaction. */
    <T extends @Nullable Object> T once(String verb, String table, Dialect dialect, Work<T> work) {
        return borrow(verb, table, connection -> {
            if (connection.getAutoCommit()) {
                return isolated(dialect, connection, () -> work.on(connection));
            }
            return inTransaction(dialect, connection, work); // its statement and its commit are two calls
        });
    }

    /** Runs several statements in one transaction. */
    <T extends @Nullable Object> T transaction(String verb, String table, Dialect dialect, Work<T> work) {
        return borrow(verb, table, connection -> {
            if (!connection.getAutoCommit()) {
                return inTransaction(dialect, connection, work);
            }
            connection.setAutoCommit(false);
            Throwable failure = null;
            try {
                return inTransaction(dialect, connection, work);
            } catch (SQLException | RuntimeException e) {
                failure = e;
                throw e;
            } finally {
                restore(failure, () -> connection.setAutoCommit(true));
            }
        });
    }

    private <T extends @Nullable Object> T inTransaction(Dialect dialect, Connection connection, Work<T> work)
            throws SQLException {
        return limited(dialect, connection, () -> {
            try {
                if (dialect == Dialect.POSTGRESQL) {
                    idleLimit.beginPostgreSql(connection);
                }
                T result = work.on(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollback(connection, e);
                throw e;
            }
        });
    }

    /** A transaction that is READ COMMITTED and that the server ends when we fall silent. */
    private <T extends @Nullable Object> T limited(Dialect dialect, Connection connection, Step<T> step)
            throws SQLException {
        if (!dialect.isMySqlFamily()) {
            return isolated(dialect, connection, step);
        }
        connection.rollback(); // the pool's test of the connection may have begun a transaction
        idleLimit.beginMySql(connection, dialect);
        Throwable failure = null;
        try {
            return step.run();
        } catch (SQLException | RuntimeException e) {
            failure = e;
            throw e;
        } finally {
            restore(failure, () -> idleLimit.endMySql(connection));
        }
    }

    private interface Restore {
        void run() throws SQLException;
    }

    /** On a connection that is gone there is nothing to restore, and the failure before says more. */
    private static void restore(@Nullable Throwable failure, Restore restore) throws SQLException {
        try {
            restore.run();
        } catch (SQLException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
        }
    }

    /** A connection as it comes, for reading. */
    <T extends @Nullable Object> T borrow(String verb, String table, Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return answerLimit == null ? work.on(connection) : answered(answerLimit, connection, work);
        } catch (SQLException e) {
            throw SqlErrors.translate(verb, table, e);
        }
    }

    private static <T extends @Nullable Object> T answered(SqlAnswerLimit limit, Connection connection, Work<T> work)
            throws SQLException {
        int before = limit.begin(connection);
        long began = System.nanoTime();
        Throwable failure = null;
        try {
            return work.on(connection);
        } catch (SQLException | RuntimeException e) {
            failure = e;
            throw e;
        } finally {
            limit.ended(
                    failure == null, Duration.ofNanos(System.nanoTime() - began).toMillis());
            restore(failure, () -> limit.end(connection, before));
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
