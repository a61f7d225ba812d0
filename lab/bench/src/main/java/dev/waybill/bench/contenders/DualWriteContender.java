package dev.waybill.bench.contenders;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.contender.BenchOrder;
import dev.waybill.contender.Contender;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.contender.ContenderMain;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Unsafe, for comparison: the transaction inserts order and event, commits, and the message goes straight to the broker
 * through a shared window of confirms. A crash in between loses it, and no row ever says that it is out.
 */
public final class DualWriteContender implements Contender {

    private @Nullable HikariDataSource pool;
    private @Nullable RawRabbitMq rabbit;

    public static void main(String[] arguments) {
        ContenderMain.run(new DualWriteContender(), arguments);
    }

    @Override
    public void open(ContenderConfig config) throws SQLException {
        pool = config.pool();
        rabbit = new RawRabbitMq(config);
        EventTable.create(pool);
    }

    @Override
    public void commit(List<BenchOrder> orders) throws SQLException {
        try (Connection connection = Objects.requireNonNull(pool).getConnection()) {
            connection.setAutoCommit(false);
            BenchOrder.insert(connection, orders);
            EventTable.insert(connection, orders);
            connection.commit();
            connection.setAutoCommit(true);
        }
        RawRabbitMq there = Objects.requireNonNull(rabbit);
        orders.forEach(order -> there.send(RawRabbitMq.ready(order)));
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
