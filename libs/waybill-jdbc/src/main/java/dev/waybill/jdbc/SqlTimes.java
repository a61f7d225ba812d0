package dev.waybill.jdbc;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * How a database tells, writes and reads times. "Face" is the number of microseconds that the column's clock face shows
 * since 1970, whatever its time zone: good for comparing and as a fence, never to be mistaken for an instant.
 */
sealed interface SqlTimes {

    boolean wholeSeconds();

    /** The statement's time, for the relay's own statements; an index can be searched by it. */
    String now();

    /** The statement's time inside a transaction that may be long. */
    String nowInside();

    /** The database's clock as a face. */
    String clockFace();

    /** A time so many {@link #ticks} after another. */
    String plus(String time, String ticks);

    /** A column's face. */
    String face(String column);

    /** A column as microseconds since the epoch. */
    String epochMicros(String column);

    /** A time from {@link #instantValue}. */
    String instant(String parameter);

    Object instantValue(Instant instant);

    /** A time from {@link #faceValue}. */
    String fromFace(String parameter);

    Object faceValue(long faceMicros);

    /** A time that never comes. */
    String never(int year);

    /** The duration in the unit of {@link #plus}; whole seconds are rounded up, so that nothing is due too early. */
    default long ticks(Duration duration) {
        if (!wholeSeconds()) {
            return Math.max(0, duration.toNanos() / 1_000);
        }
        // the statement's time lost its fraction: the further second makes up for it
        return duration.isZero() || duration.isNegative()
                ? 0
                : duration.plusMillis(999).toSeconds() + 1;
    }

    /** The face at the end of this duration, in whole seconds where the table keeps those. */
    default long faceAfter(long faceMicros, Duration duration) {
        long micros = faceMicros + duration.toNanos() / 1_000;
        return wholeSeconds() ? -Math.floorDiv(-micros, 1_000_000L) * 1_000_000L : micros;
    }

    static SqlTimes of(Dialect dialect, TableMapping mapping) {
        return switch (dialect) {
            case MYSQL, MARIADB ->
                new MySqlTimes(mapping.wholeSeconds(), mapping.clockFace() == TableMapping.ClockFace.UTC);
            case POSTGRESQL -> new PostgreSqlTimes(mapping.wholeSeconds());
            case H2 -> new H2Times(mapping.wholeSeconds());
        };
    }

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
                return faceValue(micros(instant));
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
            return time + " + CAST(" + ticks + " AS bigint) * INTERVAL '1 "
                    + (wholeSeconds ? "second'" : "microsecond'");
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
            return instantOf(faceMicros).toString();
        }

        @Override
        public String never(int year) {
            return "TIMESTAMPTZ '" + year + "-12-31 00:00:00+00'";
        }
    }

    /** Time stamps with time zone; inside a long transaction the clock stands still, so that appends bring their own time. */
    record H2Times(boolean wholeSeconds) implements SqlTimes {

        @Override
        public String now() {
            return wholeSeconds ? "DATE_TRUNC(SECOND, CURRENT_TIMESTAMP)" : "CURRENT_TIMESTAMP";
        }

        @Override
        public String nowInside() {
            return now();
        }

        @Override
        public String clockFace() {
            return face("CURRENT_TIMESTAMP");
        }

        @Override
        public String plus(String time, String ticks) {
            return "DATEADD(" + (wholeSeconds ? "SECOND" : "MICROSECOND") + ", CAST(" + ticks + " AS BIGINT), " + time
                    + ")";
        }

        @Override
        public String face(String column) {
            return "CAST(EXTRACT(EPOCH FROM " + column + ") * 1000000 AS BIGINT)";
        }

        @Override
        public String epochMicros(String column) {
            return face(column);
        }

        @Override
        public String instant(String parameter) {
            return "CAST(" + parameter + " AS TIMESTAMP(6) WITH TIME ZONE)";
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
            return instantOf(faceMicros).toString();
        }

        @Override
        public String never(int year) {
            return "TIMESTAMP WITH TIME ZONE '" + year + "-12-31 00:00:00+00'";
        }
    }

    static Instant instantOf(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }
}
