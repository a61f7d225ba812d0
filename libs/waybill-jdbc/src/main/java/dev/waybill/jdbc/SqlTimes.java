package dev.waybill.jdbc;

import java.time.Duration;
import java.time.Instant;

/**
 * How a database tells, writes and reads times. "Face" is the number of microseconds that the column's clock face shows
 * since 1970, whatever its time zone: good for comparing and as a fence, never to be mistaken for an instant.
 */
sealed interface SqlTimes permits MySqlTimes, SqlZonedTimes {

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
