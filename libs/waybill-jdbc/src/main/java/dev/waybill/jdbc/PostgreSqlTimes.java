package dev.waybill.jdbc;

/**
 * PostgreSQL's {@code statement_timestamp()} is stable, so that an index can be searched by it. {@code clock_timestamp()} moves
 * on inside a long transaction, but no index is searched by it.
 */
record PostgreSqlTimes(boolean wholeSeconds) implements SqlZonedTimes {

    @Override
    public String now() {
        return wholeSeconds ? "date_trunc('second', statement_timestamp())" : "statement_timestamp()";
    }

    @Override
    public String nowInside() {
        return wholeSeconds ? "date_trunc('second', clock_timestamp())" : "clock_timestamp()";
    }

    @Override
    public String wallClock() {
        return wallClockMicros("clock_timestamp()");
    }

    @Override
    public String plus(String time, String ticks) {
        return time + " + CAST(" + ticks + " AS bigint) * INTERVAL '1 " + (wholeSeconds ? "second'" : "microsecond'");
    }

    @Override
    public String wallClockMicros(String column) {
        return "CAST(EXTRACT(EPOCH FROM CAST(" + column + " AS timestamptz)) * 1000000 AS bigint)";
    }

    @Override
    public String instant(String parameter) {
        return "CAST(" + parameter + " AS timestamptz)";
    }

    @Override
    public String never(int year) {
        return "TIMESTAMPTZ '" + year + "-12-31 00:00:00+00'";
    }
}
