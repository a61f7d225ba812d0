package dev.waybill.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Its connections have no auto-commit, and run something before each commit that follows an UPDATE. */
final class PausingDataSource implements DataSource {

    private final DataSource target;
    private final Runnable beforeCommit;

    PausingDataSource(DataSource target, Runnable beforeCommit) {
        this.target = target;
        this.beforeCommit = beforeCommit;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = target.getConnection();
        connection.setAutoCommit(false);
        boolean[] wrote = new boolean[1];
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    boolean prepares = method.getName().equals("prepareStatement");
                    if (prepares && ((String) arguments[0]).contains("UPDATE ")) {
                        wrote[0] = true;
                    }
                    if (method.getName().equals("commit") && wrote[0]) {
                        beforeCommit.run();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
