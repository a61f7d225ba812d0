package dev.waybill.jdbc;

import java.time.Duration;
import java.time.Instant;

/**
 * How a database tells, writes and reads times. "Wall clock" is what a clock in the column's time zone shows, as microseconds
 * since 1970 there: two of them can be compared and one can be a fence, but it is not an instant.
 */
sealed interface SqlTimes permits MySqlTimes, SqlZonedTimes {

    boolean wholeSeconds();

    /** The statement's time, for the relay's own statements; an index can be searched by it. */
    String now();

    /** The statement's time inside a transaction that may be long. */
    String nowInside();

    /** What the database's clock shows now. */
    String wallClock();

    /** A time so many {@link #ticks} after another. */
    String plus(String time, String ticks);

    /** What a clock shows at the column's time. */
    String wallClockMicros(String column);

    /** A column as microseconds since the epoch. */
    String epochMicros(String column);

    /** A time from {@link #instantValue}. */
    String instant(String parameter);

    Object instantValue(Instant instant);

    /** A time from {@link #wallClockValue}. */
    String fromWallClock(String parameter);

    Object wallClockValue(long wallClockMicros);

    /** A time that never comes. */
    String never(int year);

    /** The duration in the unit of {@link #plus}; whole seconds are rounded up, so that nothing is due too early. */
    default long ticks(Duration duration) {
        if (!wholeSeconds()) {
            return Math.max(0, duration.toNanos() / 1_000);
        }
        // the statement's time is cut to whole seconds: one more second makes up for what was cut
        return duration.isZero() || duration.isNegative()
                ? 0
                : duration.plusMillis(999).toSeconds() + 1;
    }

    /** What the clock shows at the end of this duration, in whole seconds where the table stores those. */
    default long wallClockAfter(long wallClockMicros, Duration duration) {
        long micros = wallClockMicros + duration.toNanos() / 1_000;
        return wholeSeconds() ? -Math.floorDiv(-micros, 1_000_000L) * 1_000_000L : micros;
    }

    static SqlTimes of(Dialect dialect, boolean wholeSeconds, SqlTimeZone timeZone) {
        return switch (dialect) {
            case MYSQL, MARIADB -> new MySqlTimes(wholeSeconds, timeZone == SqlTimeZone.UTC);
            case POSTGRESQL -> new PostgreSqlTimes(wholeSeconds);
            case H2 -> new H2Times(wholeSeconds);
        };
    }

    static Instant instantOf(long micros) {
        return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1_000L);
    }

    static long micros(Instant instant) {
        return Math.addExact(
                Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), (long) (instant.getNano() / 1_000));
    }
}
