package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxTable.DueRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says which ranges have due rows, longest due first, with one statement that locks nothing. While claims come back full
 * the last answer is used again, for a second at most, so that a range that fills up meanwhile is not left out for long.
 */
final class OutboxDueRanges {

    private static final String LOOK = "SELECT {clock} AS wb_clock";

    private static final String HEAD = """
            , (SELECT COALESCE({dueMicros}, 0) FROM {table} {byDue}
               WHERE {range}[ AND ({topic} IS NULL OR {topic} NOT IN {exceptTopics})]
               ORDER BY {due} LIMIT 1)""";

    private static final long ANSWER_SERVES_NANOS = 1_000_000_000L;

    private record Head(DueRange range, long dueMicros) {}

    private final OutboxTable table;
    private final SqlConnections connections;
    private final SqlDatabaseClock clock;
    private final List<DueRange> ranges;
    private final String look;
    private volatile @Nullable ClaimCursor last;
    private volatile boolean lastWasFull;

    OutboxDueRanges(OutboxTable table, SqlConnections connections, SqlDatabaseClock clock) {
        this.table = table;
        this.connections = connections;
        this.clock = clock;
        this.ranges = table.dueRanges();
        StringBuilder text = new StringBuilder(LOOK);
        ranges.forEach(range -> text.append(HEAD.replace("{range}", range.condition())));
        this.look = text.toString();
    }

    void claimed(boolean full) {
        lastWasFull = full;
    }

    /** The last answer while it serves; null when it is time to look again. */
    @Nullable ClaimCursor remembered(Set<String> exceptTopics) {
        ClaimCursor walk = last;
        boolean serves = lastWasFull
                && walk != null
                && walk.exceptTopics().equals(exceptTopics)
                && System.nanoTime() - walk.begunNanos() < ANSWER_SERVES_NANOS;
        return serves ? walk : null;
    }

    ClaimCursor look(Set<String> exceptTopics) {
        List<DueRange> found = connections.borrow("claim", table.name(), connection -> {
            SqlCall call = new OutboxTopicFilter(exceptTopics).call(table, look, Map.of());
            long asked = System.nanoTime();
            List<DueRange> worth = call.query(connection, row -> {
                        clock.observe(row.getLong(1), asked, System.nanoTime());
                        List<Head> heads = new ArrayList<>();
                        for (int i = 0; i < ranges.size(); i++) {
                            long due = row.getLong(i + 2);
                            if (!row.wasNull()) {
                                heads.add(new Head(ranges.get(i), due));
                            }
                        }
                        heads.sort(Comparator.comparingLong(Head::dueMicros));
                        return heads.stream().map(Head::range).toList();
                    })
                    .get(0);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return worth;
        });
        ClaimCursor walk = new ClaimCursor(found, exceptTopics, System.nanoTime());
        last = walk;
        return walk;
    }
}
