package dev.waybill.starter.h2;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;

/** Commits from eight threads until it is killed: two rows in two tables each time, and then the line with their id. */
final class H2Writer {

    private static final int THREADS = 8;

    private H2Writer() {}

    /** Argument: the database's address. */
    public static void main(String[] arguments) throws SQLException {
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            makeTables(connection);
        }
        AtomicLong ids = new AtomicLong(System.currentTimeMillis() * 1_000_000);
        for (int i = 0; i < THREADS; i++) {
            new Thread(() -> write(arguments[0], ids)).start();
        }
    }

    static void makeTables(Connection connection) throws SQLException {
        connection.createStatement().execute("CREATE TABLE IF NOT EXISTS orders (id BIGINT PRIMARY KEY)");
        connection.createStatement().execute("CREATE TABLE IF NOT EXISTS events (id BIGINT PRIMARY KEY)");
    }

    private static void write(String url, AtomicLong ids) {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement order = connection.prepareStatement("INSERT INTO orders VALUES (?)");
                PreparedStatement event = connection.prepareStatement("INSERT INTO events VALUES (?)")) {
            connection.setAutoCommit(false);
            while (true) {
                long id = ids.incrementAndGet();
                order.setLong(1, id);
                order.executeUpdate();
                event.setLong(1, id);
                event.executeUpdate();
                connection.commit();
                System.out.println("committed " + id);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
