package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the place of a moment in the order of a table's keys, so that no index on times is needed, for which every event would
 * pay. Ids of version 7 tell their time; among numbers a search in halves finds it. Where keys are neither, there is no such place.
 */
final class OutboxKeySeek {

    private static final String FIRST = "SELECT {key} FROM {table} {byKey} ORDER BY {key} LIMIT 1";
    private static final String LAST = "SELECT {key} FROM {table} {byKey} ORDER BY {key} DESC LIMIT 1";
    private static final String AT = """
            SELECT {key}, {bornMicros} FROM {table} {byKey}
            WHERE {key} >= :key
            ORDER BY {key}
            LIMIT :some""";

    /** Rows whose times are looked at in each step: where transactions take long, one row may be older than those before it. */
    private static final long SOME = 64;

    private static final Pattern VERSION_7 =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");

    /** How far the clocks of publishers and database may be apart. */
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

    /** How long before its row an event's id may have been made. */
    private static final Duration MADE_EARLIER = Duration.ofMinutes(1);

    private final OutboxTable table;
    private final String at;

    OutboxKeySeek(OutboxTable table, String bornMicros) {
        this.table = table;
        this.at = table.sql(AT, Map.of("bornMicros", bornMicros));
    }

    /** Keys between which all rows of a span of time are; null where there is no bound. */
    record Bounds(@Nullable String from, @Nullable String before) {

        static final Bounds NONE = new Bounds(null, null);
    }

    Bounds bounds(Connection connection, @Nullable Instant from, @Nullable Instant to) throws SQLException {
        String first = key(connection, FIRST);
        String last = key(connection, LAST);
        if (first == null || last == null || (from == null && to == null)) {
            return Bounds.NONE;
        }
        Instant early = from == null ? null : OutboxConditions.told(from).minus(MADE_EARLIER);
        Instant late = to == null ? null : OutboxConditions.told(to).plus(CLOCKS_DIFFER);
        if (table.shapeOf(table.mapping().key()).numeric()) {
            long lowest = Long.parseLong(first);
            long highest = Long.parseLong(last);
            return new Bounds(
                    early == null ? null : place(connection, lowest, highest, some -> allBefore(some, early)),
                    late == null ? null : place(connection, lowest, highest, some -> lastBefore(some, late)));
        }
        // what others made up sorts before the first or behind the last id of version 7, as good as always
        boolean told =
                VERSION_7.matcher(first).matches() && VERSION_7.matcher(last).matches();
        return told
                ? new Bounds(
                        early == null ? null : id(early, "-7000-8000-000000000000"),
                        late == null ? null : id(late, "-7fff-bfff-ffffffffffff"))
                : Bounds.NONE;
    }

    private @Nullable String key(Connection connection, String sql) throws SQLException {
        List<String> keys = new SqlCall(table.sql(sql)).query(connection, row -> row.getString(1));
        return keys.isEmpty() ? null : keys.get(0);
    }

    private static String id(Instant moment, String rest) {
        long millis = moment.toEpochMilli();
        return String.format(Locale.ROOT, "%08x-%04x", millis >>> 16, millis & 0xffff) + rest;
    }

    /** @param bornMicros null for a row that does not tell when it was written */
    private record Place(long key, @Nullable Long bornMicros) {

        static Place read(ResultSet row) throws SQLException {
            long key = row.getLong(1);
            long born = row.getLong(2);
            return new Place(key, row.wasNull() ? null : born);
        }

        boolean isBefore(Instant moment, boolean unknown) {
            return bornMicros == null ? unknown : bornMicros < SqlTimes.micros(moment);
        }
    }

    /** The last key of some rows that lie before the place; null when none does. */
    private interface Step {
        @Nullable Long before(List<Place> some);
    }

    private static @Nullable Long allBefore(List<Place> some, Instant moment) {
        boolean all = some.stream().allMatch(row -> row.isBefore(moment, false));
        return all && !some.isEmpty() ? (Long) some.get(some.size() - 1).key() : null;
    }

    private static @Nullable Long lastBefore(List<Place> some, Instant moment) {
        Long last = null;
        for (Place row : some) {
            last = row.isBefore(moment, true) ? (Long) row.key() : last;
        }
        return last;
    }

    /** The first key of the place; where the rows leave doubt, the bound lets more of them through. */
    private String place(Connection connection, long lowest, long highest, Step step) throws SQLException {
        long low = lowest;
        long high = highest + 1;
        while (low < high) {
            long middle = low + (high - low) / 2;
            Long before = step.before(
                    new SqlCall(at).set("key", middle).set("some", SOME).query(connection, Place::read));
            if (before == null) {
                high = middle;
            } else {
                low = before + 1;
            }
        }
        return String.valueOf(low);
    }
}
