package dev.waybill.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;

/**
 * Connections that take every statement and do nothing, so that what is measured ends where a driver begins. H2 describes the
 * table; the name and version are those of the database that is meant.
 */
final class QuietDriver {

    private QuietDriver() {}

    static OutboxTable table(String product) throws SQLException {
        JdbcConnectionPool h2 = JdbcConnectionPool.create("jdbc:h2:mem:" + product, "sa", "");
        try {
            Ddl.apply(h2, OutboxLayouts.waybill());
            try (Connection connection = h2.getConnection()) {
                return OutboxTable.open(disguised(connection, product), OutboxLayouts.waybill(), "bench");
            }
        } finally {
            h2.dispose();
        }
    }

    static DataSource dataSource() {
        Connection silent = answering(Connection.class, name -> null);
        PreparedStatement prepared =
                answering(PreparedStatement.class, name -> name.equals("getConnection") ? silent : null);
        Statement plain = answering(Statement.class, name -> null);
        Connection connection = answering(Connection.class, name -> switch (name) {
            case "prepareStatement" -> prepared;
            case "createStatement" -> plain;
            default -> null;
        });
        return answering(DataSource.class, name -> name.equals("getConnection") ? connection : null);
    }

    private interface Answers {
        @Nullable Object to(String method);
    }

    private static <T> T answering(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            Class<?> wanted = method.getReturnType();
            if (wanted == void.class) {
                return null;
            }
            return wanted == int.class ? (Object) 0 : wanted == boolean.class ? false : answers.to(method.getName());
        }));
    }

    private static Connection disguised(Connection h2, String product) throws SQLException {
        DatabaseMetaData about = h2.getMetaData();
        DatabaseMetaData claims = over(DatabaseMetaData.class, about, name -> switch (name) {
            case "getDatabaseProductName" -> product;
            case "getDatabaseMajorVersion" -> 99;
            default -> null;
        });
        return over(Connection.class, h2, name -> name.equals("getMetaData") ? claims : null);
    }

    private static <T> T over(Class<T> type, T target, Answers answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            Object answer = answers.to(method.getName());
            try {
                return answer != null ? answer : method.invoke(target, given);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
