package dev.waybill.jdbc;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** DATETIME columns, read and written as clock faces. */
record MySqlTimes(boolean wholeSeconds, boolean utc) implements SqlTimes {

    private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");

    @Override
    public String now() {
        return (utc ? "UTC_TIMESTAMP" : "NOW") + (wholeSeconds ? "()" : "(3)");
    }

    @Override
    public String nowInside() {
        return now();
    }

    @Override
    public String clockFace() {
        return face((utc ? "UTC_TIMESTAMP" : "NOW") + "(6)");
    }

    @Override
    public String plus(String time, String ticks) {
        return time + " + INTERVAL " + ticks + (wholeSeconds ? " SECOND" : " MICROSECOND");
    }

    @Override
    public String face(String column) {
        return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', " + column + ")";
    }

    @Override
    public String epochMicros(String column) {
        return utc ? face(column) : "CAST(UNIX_TIMESTAMP(" + column + ") * 1000000 AS SIGNED)";
    }

    @Override
    public String instant(String parameter) {
        return utc ? parameter : "FROM_UNIXTIME(" + parameter + ")";
    }

    @Override
    public Object instantValue(Instant instant) {
        if (utc) {
            return faceValue(SqlTimes.micros(instant));
        }
        return wholeSeconds
                ? (Object) Long.valueOf(instant.getEpochSecond())
                : BigDecimal.valueOf(instant.toEpochMilli(), 3);
    }

    @Override
    public String fromFace(String parameter) {
        return parameter;
    }

    @Override
    public Object faceValue(long faceMicros) {
        return TEXT.format(LocalDateTime.ofEpochSecond(
                Math.floorDiv(faceMicros, 1_000_000L),
                (int) Math.floorMod(faceMicros, 1_000_000L) * 1_000,
                ZoneOffset.UTC));
    }

    @Override
    public String never(int year) {
        return "TIMESTAMP '" + year + "-12-31 00:00:00'";
    }
}
