package dev.waybill.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A new connection each time, for tools that have no pool. */
record DriverDataSource(
        String url, @Nullable String user, @Nullable String password) implements DataSource {

    /** Without the password. */
    @Override
    public String toString() {
        return "DriverDataSource[" + url + "]";
    }

    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(user, password);
    }

    @Override
    public Connection getConnection(@Nullable String name, @Nullable String secret) throws SQLException {
        Properties login = new Properties();
        if (name != null) {
            login.setProperty("user", name);
        }
        if (secret != null) {
            login.setProperty("password", secret);
        }
        return DriverManager.getConnection(url, login);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) {
        return false;
    }
}
