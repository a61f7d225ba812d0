package dev.waybill.jdbc;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** DATETIME columns, which have no time zone: they are read and written as what a clock shows. */
record MySqlTimes(boolean wholeSeconds, boolean utc) implements SqlTimes {

    /** UTC to the microsecond, as SQL writes it: {@code 2026-02-04 10:30:00.123456}, always six digits. */
    private static final DateTimeFormatter WALL_CLOCK =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

    @Override
    public String now() {
        return (utc ? "UTC_TIMESTAMP" : "NOW") + (wholeSeconds ? "()" : "(3)");
    }

    @Override
    public String nowInside() {
        return now();
    }

    @Override
    public String wallClock() {
        return wallClockMicros((utc ? "UTC_TIMESTAMP" : "NOW") + "(6)");
    }

    @Override
    public String plus(String time, String ticks) {
        return time + " + INTERVAL " + ticks + (wholeSeconds ? " SECOND" : " MICROSECOND");
    }

    @Override
    public String wallClockMicros(String column) {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', " + column + ")";
    }

    @Override
    public String epochMicros(String column) {
        return utc ? wallClockMicros(column) : "CAST(UNIX_TIMESTAMP(" + column + ") * 1000000 AS SIGNED)";
    }

    @Override
    public String instant(String parameter) {
        return utc ? parameter : "FROM_UNIXTIME(" + parameter + ")";
    }

    @Override
    public Object instantValue(Instant instant) {
        if (utc) {
            return wallClockValue(SqlTimes.micros(instant));
        }
        return wholeSeconds
                ? (Object) Long.valueOf(instant.getEpochSecond())
                : BigDecimal.valueOf(instant.toEpochMilli(), 3);
    }

    @Override
    public String fromWallClock(String parameter) {
        return parameter;
    }

    @Override
    public Object wallClockValue(long wallClockMicros) {
        return WALL_CLOCK.format(SqlTimes.instantOf(wallClockMicros));
    }

    @Override
    public String never(int year) {
        return "TIMESTAMP '" + year + "-12-31 00:00:00'";
    }
}
