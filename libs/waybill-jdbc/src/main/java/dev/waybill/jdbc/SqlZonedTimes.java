package dev.waybill.jdbc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Time columns that have a time zone: what their clock shows is counted in UTC, and every time is written as ISO text. */
sealed interface SqlZonedTimes extends SqlTimes permits PostgreSqlTimes, H2Times {

    @Override
    default String epochMicros(String column) {
        return wallClockMicros(column);
    }

    @Override
    default Object instantValue(Instant instant) {
        return (wholeSeconds() ? instant.truncatedTo(ChronoUnit.SECONDS) : instant).toString();
    }

    @Override
    default String fromWallClock(String parameter) {
        return instant(parameter);
    }

    @Override
    default Object wallClockValue(long wallClockMicros) {
        return SqlTimes.instantOf(wallClockMicros).toString();
    }
}
