package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxTable.DueRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Says which ranges have due rows, longest due first, with one statement that locks nothing. */
final class OutboxDueRanges {

    private static final String LOOK = "SELECT {clock} AS wb_clock";

    private static final String HEAD = """
            , (SELECT COALESCE({dueMicros}, 0) FROM {table} {byDue}
               WHERE {range}[ AND {due} >= {reached%1$s}][ AND ({topic} IS NULL OR {topic} NOT IN {exceptTopics})]
               {order}LIMIT 1)""";

    private static final String FRESH = """
            (SELECT 1 FROM {table} {byDue} WHERE {range} AND {due} >= {since} LIMIT 1)""";

    /**
     * What a look found.
     *
     * @param ranges those with due rows, longest due first
     * @param wallClock what the database's clock showed
     * @param oldestDue the longest due row's due time; the least number when there is none
     */
    record Found(List<DueRange> ranges, long wallClock, long oldestDue) {}

    private record Head(DueRange range, long dueMicros) {}

    private final OutboxTable table;
    private final SqlConnections connections;
    private final SqlDatabaseClock clock;
    private final List<DueRange> ranges;
    private final String look;
    private final String fresh;

    OutboxDueRanges(OutboxTable table, SqlConnections connections, SqlDatabaseClock clock) {
        this.table = table;
        this.connections = connections;
        this.clock = clock;
        this.ranges = table.dueRanges();
        StringBuilder text = new StringBuilder(LOOK);
        for (int i = 0; i < ranges.size(); i++) {
            DueRange range = ranges.get(i);
            text.append(HEAD.replace("%1$s", letter(i))
                    .replace("{range}", range.condition())
                    .replace("{order}", range.withoutDueTime() ? "" : "ORDER BY {due} "));
        }
        this.look = text.toString();
        this.fresh = ranges.stream()
                .filter(range -> !range.withoutDueTime())
                .map(range -> FRESH.replace("{range}", range.condition()))
                .collect(Collectors.joining(", ", "SELECT COALESCE(", ", 0)"));
    }

    /** Names of parameters are letters only. */
    private static String letter(int index) {
        return String.valueOf((char) ('A' + index));
    }

    /** Looks from where the cursor stands, and moves it to what was found. */
    Found look(ClaimCursor cursor) {
        return connections.borrow("claim", table.name(), connection -> {
            long asked = System.nanoTime();
            Found found = call(cursor)
                    .query(connection, row -> {
                        long wallClock = row.getLong(1);
                        clock.observe(wallClock, asked, System.nanoTime());
                        List<Head> heads = new ArrayList<>();
                        for (int i = 0; i < ranges.size(); i++) {
                            long due = row.getLong(i + 2);
                            if (row.wasNull()) {
                                cursor.cameToTheEnd(ranges.get(i), wallClock);
                            } else {
                                heads.add(new Head(ranges.get(i), due));
                            }
                        }
                        heads.sort(Comparator.comparingLong(Head::dueMicros));
                        heads.forEach(head -> cursor.cameTo(head.range(), head.dueMicros(), wallClock));
                        return new Found(
                                heads.stream().map(Head::range).toList(),
                                wallClock,
                                heads.isEmpty() ? Long.MIN_VALUE : heads.get(0).dueMicros());
                    })
                    .get(0);
            commit(connection);
            cursor.looked(System.nanoTime() - asked);
            return found;
        });
    }

    /** Whether somebody has written rows just now, by their due time; reads no further than the first of them. */
    boolean haveFreshRows() {
        return connections.borrow("claim", table.name(), connection -> {
            long since = clock.wallClockMicros(connection, table) - ClaimThrottle.FRESH_MICROS;
            long stored = table.times().wholeSeconds() ? Math.floorDiv(since, 1_000_000L) * 1_000_000L : since;
            boolean found =
                    new SqlCall(table.sql(fresh, Map.of("since", table.times().fromWallClock(":since"))))
                                    .set("since", table.times().wallClockValue(stored))
                                    .query(connection, row -> row.getInt(1))
                                    .get(0)
                            == 1;
            commit(connection);
            return found;
        });
    }

    private static void commit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }

    private SqlCall call(ClaimCursor cursor) {
        Map<String, String> placeholders = new HashMap<>();
        Map<DueRange, Long> places = cursor.reached();
        for (int i = 0; i < ranges.size(); i++) {
            if (places.containsKey(ranges.get(i))) {
                String name = "reached" + letter(i);
                placeholders.put(name, table.times().fromWallClock(":" + name));
            }
        }
        SqlCall call = new OutboxTopicFilter(cursor.exceptTopics()).call(table, look, placeholders);
        for (int i = 0; i < ranges.size(); i++) {
            Long reached = places.get(ranges.get(i));
            if (reached != null) {
                call.set("reached" + letter(i), table.times().wallClockValue(reached));
            }
        }
        return call;
    }
}
