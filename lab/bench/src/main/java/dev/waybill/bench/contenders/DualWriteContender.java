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
 * Unsafe, for comparison: the transaction inserts order and event, commits, and the message goes straight to the broker
 * through a shared window of confirms. A crash in between loses it, and no row ever says that it is out.
 */
public final class DualWriteContender implements Contender {

    private static final String TABLE = "CREATE TABLE bench_event (id BIGINT PRIMARY KEY, body TEXT NOT NULL)";
    private static final String INSERT = "INSERT INTO bench_event (id, body) VALUES (?, ?)";

    private @Nullable HikariDataSource pool;
    private @Nullable RawRabbit rabbit;

    public static void main(String[] arguments) {
        Stage.run(new DualWriteContender(), arguments);
    }

    @Override
    public void open(Venue venue) throws SQLException {
        pool = venue.pool();
        rabbit = new RawRabbit(venue);
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
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                for (Order order : orders) {
                    insert.setLong(1, order.number());
                    insert.setString(2, order.body());
                    insert.executeUpdate();
                }
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
        RawRabbit there = Objects.requireNonNull(rabbit);
        orders.forEach(order -> there.send(RawRabbit.ready(order)));
    }

    @Override
    public void startRelay() {}

    @Override
    public void stopRelay() {
        Objects.requireNonNull(rabbit).awaitConfirms();
    }

    @Override
    public long sent() {
        return Objects.requireNonNull(rabbit).confirmed();
    }

    @Override
    public long unsettled() {
        return Objects.requireNonNull(rabbit).unconfirmed();
    }

    @Override
    public void close() {
        Objects.requireNonNull(rabbit).close();
        Objects.requireNonNull(pool).close();
    }
}
