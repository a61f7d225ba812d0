package dev.waybill.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that the database has given up already although a commit would seem to succeed. PostgreSQL answers the
 * COMMIT of a transaction in which a statement failed with ROLLBACK, and its driver reports no error. The driver knows the
 * state from the server's last answer: asking costs no round trip.
 */
public final class AbortedTransactions {

    private static final String POSTGRESQL = "org.postgresql.core.BaseConnection";
    private static final String FAILED = "FAILED";

    private static final @Nullable Method STATE = stateOfPostgreSql();

    private AbortedTransactions() {}

    /** Whether a commit of this connection's transaction would quietly roll it back. Drivers of other databases: no. */
    public static boolean contain(Connection connection) {
        if (STATE == null) {
            return false;
        }
        try {
            Class<?> driver = STATE.getDeclaringClass();
            return connection.isWrapperFor(driver)
                    && FAILED.equals(String.valueOf(STATE.invoke(connection.unwrap(driver))));
        } catch (SQLException | ReflectiveOperationException e) {
            return false; // a broken connection: its commit will say so
        }
    }

    private static @Nullable Method stateOfPostgreSql() {
        try {
            return Class.forName(POSTGRESQL).getMethod("getTransactionState");
        } catch (ReflectiveOperationException | LinkageError e) {
            return null; // no such driver here
        }
    }
}
