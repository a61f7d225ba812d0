package dev.waybill.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A partition for the events whose ids of version 7 were made in one period. Beside these a table has three that are never
 * dropped: {@link #EARLY} for lesser ids, {@link #AHEAD} for later ones that have no partition yet, and {@link #OTHERS} for ids
 * that are none of version 7.
 *
 * @param name begins with {@code p} and the time at which the period begins
 */
record OutboxPartition(String name, Instant from, Instant end) {

    static final String EARLY = "early";
    static final String AHEAD = "ahead";
    static final String OTHERS = "others";

    /** Greater than every id of version 7 that is made before the year 2109. */
    static final String OTHERS_FROM = "03";

    /** Producers never wait for a partition: so many periods have theirs ahead of time. */
    static final int PERIODS_AHEAD = 3;

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'p'uuuuMMddHHmm").withZone(ZoneOffset.UTC);

    private static final Pattern BOUND = Pattern.compile("([0-9a-f]{8})-([0-9a-f]{4})-7000-8000-000000000000");

    /** The partition of a period. */
    static OutboxPartition of(Instant from, Instant end) {
        return new OutboxPartition(NAME.format(from), from, end);
    }

    /**
     * Partitions of consecutive periods, in the grid of whole periods since 1970.
     *
     * @param from where the first begins
     * @param until the last one ends there or later
     */
    static List<OutboxPartition> between(Instant from, Instant until, Duration period) {
        List<OutboxPartition> all = new ArrayList<>();
        Instant begin = from;
        while (begin.isBefore(until)) {
            Instant end = floor(begin, period).plus(period);
            all.add(of(begin, end));
            begin = end;
        }
        return all;
    }

    /** The beginning of the period that a time is in. */
    static Instant floor(Instant time, Duration period) {
        return Instant.ofEpochSecond(Math.floorDiv(time.getEpochSecond(), period.toSeconds()) * period.toSeconds());
    }

    /** The least id of version 7 that can be made at this time. */
    static String leastId(Instant time) {
        long millis = time.toEpochMilli();
        return String.format(Locale.ROOT, "%08x-%04x-7000-8000-000000000000", millis >>> 16, millis & 0xffff);
    }

    /** The time of a bound that {@link #leastId} made; null for others. */
    static @Nullable Instant timeOf(String bound) {
        Matcher id = BOUND.matcher(bound);
        return id.matches() ? Instant.ofEpochMilli(Long.parseLong(id.group(1) + id.group(2), 16)) : null;
    }

    /** Whether it is still among these. On MySQL a period seems longer once the one before it was dropped. */
    boolean isIn(List<OutboxPartition> others) {
        return others.stream().anyMatch(other -> other.name.equals(name));
    }
}
