package dev.waybill.jdbc;

/** H2's clock stands still inside a transaction, so that appends bring their own time. */
record H2Times(boolean wholeSeconds) implements SqlZonedTimes {

    @Override
    public String now() {
        return wholeSeconds ? "DATE_TRUNC(SECOND, CURRENT_TIMESTAMP)" : "CURRENT_TIMESTAMP";
    }

    @Override
    public String nowInside() {
        return now();
    }

    @Override
    public String wallClock() {
        return wallClockMicros("CURRENT_TIMESTAMP");
    }

    @Override
    public String plus(String time, String ticks) {
        return "DATEADD(" + (wholeSeconds ? "SECOND" : "MICROSECOND") + ", CAST(" + ticks + " AS BIGINT), " + time
                + ")";
    }

    @Override
    public String wallClockMicros(String column) {
        return "CAST(EXTRACT(EPOCH FROM " + column + ") * 1000000 AS BIGINT)";
    }

    @Override
    public String instant(String parameter) {
        return "CAST(" + parameter + " AS TIMESTAMP(6) WITH TIME ZONE)";
    }

    @Override
    public String never(int year) {
        return "TIMESTAMP WITH TIME ZONE '" + year + "-12-31 00:00:00+00'";
    }
}
