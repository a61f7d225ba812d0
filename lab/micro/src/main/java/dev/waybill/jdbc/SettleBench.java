package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.message.EventIds;
import dev.waybill.message.SampleEvent;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Settling 1,000 sent rows of one fence: statement and parameters, up to the driver. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // set up before measuring
public class SettleBench {

    private static final int ROWS = 1_000;

    @Param({"MariaDB", "PostgreSQL"})
    public String database;

    private final List<Settlement> sent = new ArrayList<>();
    private OutboxSettler settlements;

    @Setup
    public void open() throws SQLException {
        OutboxTable table = QuietDriver.table(database);
        SqlConnections connections = new SqlConnections(QuietDriver.dataSource());
        settlements = new OutboxSettler(
                table, connections, new OutboxLeaseRenewer(table, connections, new SqlDatabaseClock()));
        Event event = SampleEvent.event();
        for (int row = 0; row < ROWS; row++) {
            sent.add(new Settlement.Sent(new ClaimedEvent(EventIds.next(), event, 0, "f".repeat(32)), null));
        }
    }

    @Benchmark
    public int sent() {
        return settlements.settle(sent);
    }
}
