package dev.waybill.contender;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/**
 * One business row. Its number is also its event's number, which every contender's message carries as {@code "n":"…"} in
 * its body, so that the set that arrived can be compared with the set committed.
 */
public record BenchOrder(long number) {

    public static final String TABLE =
            "CREATE TABLE bench_order (id BIGINT PRIMARY KEY, customer VARCHAR(64) NOT NULL, amount INT NOT NULL)";

    private static final String INSERT = "INSERT INTO bench_order (id, customer, amount) VALUES (?, ?, ?)";

    /** The size of everybody's message body. */
    public static final int BODY_BYTES = 1024;

    /** Sixteen digits. */
    public String digits() {
        return String.format(Locale.ROOT, "%016d", number);
    }

    /** A JSON object of so many bytes that carries the number. */
    public String body(int bytes) {
        String start = "{\"n\":\"" + digits() + "\",\"x\":\"";
        return start + "x".repeat(bytes - start.length() - 2) + "\"}";
    }

    public String body() {
        return body(BODY_BYTES);
    }

    public byte[] bytes() {
        return body().getBytes(StandardCharsets.UTF_8);
    }

    public static void insert(Connection connection, List<BenchOrder> orders) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (BenchOrder order : orders) {
                insert.setLong(1, order.number);
                insert.setString(2, "customer-" + order.number % 1000);
                insert.setInt(3, 100);
                if (orders.size() > 1) {
                    insert.addBatch();
                }
            }
            if (orders.size() > 1) {
                insert.executeBatch();
            } else {
                insert.executeUpdate();
            }
        }
    }
}
