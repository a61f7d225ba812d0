package dev.waybill.bench.contenders;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.contender.Contender;
import dev.waybill.contender.Order;
import dev.waybill.contender.Stage;
import dev.waybill.contender.Venue;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The same transaction with a plain extra INSERT of the event's bytes, and without ({@code event=false} in its settings).
 * Nobody sends anything.
 */
public final class PlainInsertContender implements Contender {

    private static final String TABLE = "CREATE TABLE bench_event (id BIGINT PRIMARY KEY, body TEXT NOT NULL)";
    private static final String INSERT = "INSERT INTO bench_event (id, body) VALUES (?, ?)";

    private @Nullable HikariDataSource pool;
    private boolean event;

    public static void main(String[] arguments) {
        Stage.run(new PlainInsertContender(), arguments);
    }

    @Override
    public void open(Venue venue) throws SQLException {
        event = Boolean.parseBoolean(venue.text("event"));
        pool = venue.pool();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
    }

    @Override
    public void commit(List<Order> orders) throws SQLException {
        try (Connection connection = Objects.requireNonNull(pool).getConnection()) {
            connection.setAutoCommit(false);
            Order.insert(connection, orders);
            if (event) {
                insert(connection, orders);
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private static void insert(Connection connection, List<Order> orders) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (Order order : orders) {
                insert.setLong(1, order.number());
                insert.setString(2, order.body());
                insert.executeUpdate();
            }
        }
    }

    @Override
    public void startRelay() {}

    @Override
    public void stopRelay() {}

    @Override
    public long sent() {
        return 0;
    }

    @Override
    public long unsettled() {
        return 0;
    }

    @Override
    public void close() {
        Objects.requireNonNull(pool).close();
    }
}
