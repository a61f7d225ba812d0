package dev.waybill.jdbc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Time stamps with time zone; the statement's time is stable, the clock's is not and no index is searched by it. */
record PostgreSqlTimes(boolean wholeSeconds) implements SqlTimes {

    @Override
    public String now() {
        return wholeSeconds ? "date_trunc('second', statement_timestamp())" : "statement_timestamp()";
    }

    @Override
    public String nowInside() {
        return wholeSeconds ? "date_trunc('second', clock_timestamp())" : "clock_timestamp()";
    }

    @Override
    public String clockFace() {
        return face("clock_timestamp()");
    }

    @Override
    public String plus(String time, String ticks) {
        return time + " + CAST(" + ticks + " AS bigint) * INTERVAL '1 " + (wholeSeconds ? "second'" : "microsecond'");
    }

    @Override
    public String face(String column) {
        return "CAST(EXTRACT(EPOCH FROM CAST(" + column + " AS timestamptz)) * 1000000 AS bigint)";
    }

    @Override
    public String epochMicros(String column) {
        return face(column);
    }

    @Override
    public String instant(String parameter) {
        return "CAST(" + parameter + " AS timestamptz)";
    }

    @Override
    public Object instantValue(Instant instant) {
        return (wholeSeconds ? instant.truncatedTo(ChronoUnit.SECONDS) : instant).toString();
    }

    @Override
    public String fromFace(String parameter) {
        return instant(parameter);
    }

    @Override
    public Object faceValue(long faceMicros) {
        return SqlTimes.instantOf(faceMicros).toString();
    }

    @Override
    public String never(int year) {
        return "TIMESTAMPTZ '" + year + "-12-31 00:00:00+00'";
    }
}
