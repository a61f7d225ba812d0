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
 * The same transaction with a plain extra INSERT of the event's bytes, and without ({@code event=false} in its settings).
 * Nobody sends anything.
 */
public final class PlainInsertContender implements Contender {

    private @Nullable HikariDataSource pool;
    private boolean event;

    public static void main(String[] arguments) {
        ContenderMain.run(new PlainInsertContender(), arguments);
    }

    @Override
    public void open(ContenderConfig config) throws SQLException {
        event = Boolean.parseBoolean(config.text("event"));
        pool = config.pool();
        EventTable.create(pool);
    }

    @Override
    public void commit(List<BenchOrder> orders) throws SQLException {
        try (Connection connection = Objects.requireNonNull(pool).getConnection()) {
            connection.setAutoCommit(false);
            BenchOrder.insert(connection, orders);
            if (event) {
                EventTable.insert(connection, orders);
            }
            connection.commit();
            connection.setAutoCommit(true);
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
