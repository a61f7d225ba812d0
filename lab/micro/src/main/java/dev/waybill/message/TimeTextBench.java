package dev.waybill.message;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A time as text, as envelopes have it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TimeTextBench {

    private Instant instant = Instant.parse("2026-02-04T10:30:00.123456Z"); // not final: nothing to fold

    @Benchmark
    public String javasOwn() {
        return instant.toString();
    }

    @Benchmark
    public String iso() {
        return TimeText.iso(instant);
    }
}
