package dev.waybill.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The one thing that java.sql does not have: waiting for notifications. Called by its name, so that this library needs no
 * database's driver.
 */
final class PostgreSqlDriver {

    private static final String CONNECTION = "org.postgresql.PGConnection";

    private final Object connection;
    private final Method getNotifications;

    private PostgreSqlDriver(Object connection, Method getNotifications) {
        this.connection = connection;
        this.getNotifications = getNotifications;
    }

    /** The driver's own connection; null where there is another driver, or a wrapper that does not show it. */
    static @Nullable PostgreSqlDriver of(Connection connection) throws SQLException {
        try {
            Class<?> type = Class.forName(CONNECTION, false, PostgreSqlDriver.class.getClassLoader());
            return connection.isWrapperFor(type)
                    ? new PostgreSqlDriver(connection.unwrap(type), type.getMethod("getNotifications", int.class))
                    : null;
        } catch (ClassNotFoundException | NoSuchMethodException e) {
            return null;
        }
    }

    /** Waits at the socket, at most so long, and asks the server nothing. Whether something came. */
    boolean waitForNotification(int millis) throws SQLException {
        try {
            // some versions answer null for none
            return getNotifications.invoke(connection, millis) instanceof Object[] heard && heard.length > 0;
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new SQLException(CONNECTION + " is not public", e);
        }
    }
}
