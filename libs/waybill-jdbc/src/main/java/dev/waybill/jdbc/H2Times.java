package dev.waybill.jdbc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

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
        return SqlTimes.instantOf(faceMicros).toString();
    }

    @Override
    public String never(int year) {
        return "TIMESTAMP WITH TIME ZONE '" + year + "-12-31 00:00:00+00'";
    }
}
