package dev.waybill.bench.contenders;

import dev.waybill.contender.BenchOrder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/** A plain table with a row for each event, for the contenders that have no outbox. */
final class EventTable {

    private static final String CREATE = "CREATE TABLE bench_event (id BIGINT PRIMARY KEY, body TEXT NOT NULL)";
    private static final String INSERT = "INSERT INTO bench_event (id, body) VALUES (?, ?)";

    private EventTable() {}

    static void create(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
        }
    }

    static void insert(Connection connection, List<BenchOrder> orders) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (BenchOrder order : orders) {
                insert.setLong(1, order.number());
                insert.setString(2, order.body());
                insert.executeUpdate();
            }
        }
    }
}
