package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.message.SampleEvent;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** An event's way into its row, and its time as the database takes it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // set up before measuring
public class RowBench {

    @Param({"MariaDB", "PostgreSQL"})
    public String database;

    private final Event event = SampleEvent.event();
    private OutboxTable table;
    private OutboxRowCodec codec;

    @Setup
    public void open() throws SQLException {
        table = QuietDriver.table(database);
        codec = new OutboxRowCodec(table);
    }

    @Benchmark
    public Map<?, ?> encode() {
        return codec.encode(event);
    }

    @Benchmark
    public Object time() {
        return table.times().instantValue(event.occurredAt());
    }
}
