package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Deletes settled rows that have grown old. No index leads to them, because every event would pay for it with a write more:
 * they are found by a walk in the order of the keys. Keys that the database makes, and event ids of version 7, are in the order
 * of time, so that the walk meets the old rows first and need not go through the young ones. A call reads so many rows at
 * most; the next one goes on where it stopped.
 */
final class SettledRowSweeper {

    private static final String LOOK = """
            SELECT {key}, CASE WHEN {status} IN ({settled}) AND {age} <= {then} THEN 1 ELSE 0 END,
                CASE WHEN {madeAt} > {then} THEN 1 ELSE 0 END
            FROM {table} {byKey}
            [WHERE {key} > {after}]
            ORDER BY {key}
            LIMIT :rows""";

    private static final int CHUNK = 500;
    private static final int MOST_LOOKS = 40;

    /** Ids that are made until then must not be jumped over, whatever the clocks of other machines show. */
    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);

    /** A row's key, whether it was settled long ago, and whether it was written lately. */
    private record Seen(String key, boolean old, boolean young) {}

    private final OutboxTable table;
    private final SqlConnections connections;
    private final String lookFromTheFront;
    private final String lookOn;
    private final SqlRowRemover<String> remover;
    private @Nullable String after;

    SettledRowSweeper(OutboxTable table, SqlConnections connections, @Nullable RowArchive archive) {
        this.table = table;
        this.connections = connections;
        Map<String, String> placeholders = placeholders(table);
        this.lookFromTheFront = table.sql(LOOK, placeholders);
        this.lookOn = table.sql(LOOK, walking(table));
        this.remover = new SqlRowRemover<>(
                connections,
                table.dialect(),
                table.name(),
                archive,
                new OutboxRowRemoval(table, "{status} IN (" + settledWords(table) + ")"));
    }

    /** What tells rows that are settled and old from others. */
    static Map<String, String> placeholders(OutboxTable table) {
        return Map.of(
                "settled", settledWords(table),
                "age", age(table),
                "madeAt", madeAt(table),
                "then", table.times().plus("{now}", ":ago"));
    }

    /** The same, and where a walk goes on. */
    static Map<String, String> walking(OutboxTable table) {
        Map<String, String> walking = new HashMap<>(placeholders(table));
        walking.put("after", table.parameter(table.mapping().key(), ":after"));
        return walking;
    }

    /** The words of rows that nobody will send and nobody has to decide about. */
    static String settledWords(OutboxTable table) {
        return Stream.of(OutboxState.SENT, OutboxState.DISCARDED)
                .map(table.mapping()::word)
                .filter(word -> word != null)
                .distinct()
                .map(table::literal)
                .collect(Collectors.joining(", "));
    }

    /** When a row last changed, as far as the table tells. */
    private static String age(OutboxTable table) {
        List<String> times = Stream.of(
                        OutboxColumn.SENT_AT,
                        OutboxColumn.UPDATED_AT,
                        OutboxColumn.CREATED_AT,
                        OutboxColumn.OCCURRED_AT)
                .filter(table::has)
                .map(table::quoted)
                .toList();
        if (!times.isEmpty()) {
            return times.size() == 1 ? times.get(0) : "COALESCE(" + String.join(", ", times) + ")";
        }
        return table.mapping().parksSettled() ? "NULL" : table.quoted(OutboxColumn.DUE);
    }

    /** When a row was written: keys are in this order, and not in that of the changes. */
    private static String madeAt(OutboxTable table) {
        boolean told = table.has(OutboxColumn.CREATED_AT) || table.has(OutboxColumn.OCCURRED_AT);
        return told ? "{born}" : age(table);
    }

    synchronized int sweep(Duration olderThan, int limit) {
        int swept = 0;
        for (int looks = 0; looks < MOST_LOOKS && swept < limit; looks++) {
            List<Seen> seen = once(connection -> look(connection, olderThan));
            int most = limit - swept;
            List<String> old =
                    seen.stream().filter(Seen::old).map(Seen::key).limit(most).toList();
            swept += remover.remove(old);
            if (old.size() == most) {
                after = old.get(most - 1);
            } else if (seen.size() < CHUNK || !goesOnBehind(seen)) {
                after = null; // the next call begins at the front
                break;
            }
        }
        return swept;
    }

    /** Whether there may be old rows behind these. */
    private boolean goesOnBehind(List<Seen> seen) {
        String last = seen.get(seen.size() - 1).key();
        after = last;
        if (!seen.stream().allMatch(Seen::young)) {
            return true;
        }
        if (table.shapeOf(table.mapping().key()).numeric()) {
            return false;
        }
        String youngest = youngestId();
        if (isVersion7(last) && youngest.compareToIgnoreCase(last) > 0) {
            after = youngest; // what others made up may lie behind the ids of version 7
        }
        return true;
    }

    private static boolean isVersion7(String id) {
        try {
            return UUID.fromString(id).version() == 7;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Greater than every id of version 7 that anybody can have made by now. */
    private static String youngestId() {
        long millis = System.currentTimeMillis() + CLOCKS_DIFFER.toMillis();
        return String.format("%08x-%04x-7fff-bfff-ffffffffffff", millis >>> 16, millis & 0xffff);
    }

    private List<Seen> look(Connection connection, Duration olderThan) throws SQLException {
        SqlCall call = new SqlCall(after == null ? lookFromTheFront : lookOn)
                .set("ago", -table.times().ticks(olderThan))
                .set("rows", (long) CHUNK);
        if (after != null) {
            call.set("after", table.keyValue(after));
        }
        return call.query(connection, row -> new Seen(row.getString(1), row.getInt(2) == 1, row.getInt(3) == 1));
    }

    private <T> T once(SqlConnections.Work<T> work) {
        return connections.once("sweep", table.name(), table.dialect(), work);
    }
}
