package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxTable.DueRange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers up to which due time a claim of several steps has come, so that each step begins where the last one ended. Index
 * entries of rows that earlier steps claimed stay until the database removes them, and a step that began at the front would
 * read all of them again. A row that becomes due before this place is found by the next claim.
 */
final class ClaimCursor {

    private final List<DueRange> ranges;
    private final Set<String> exceptTopics;
    private final long begunNanos;
    private final Map<DueRange, Long> reached = new ConcurrentHashMap<>();

    ClaimCursor(List<DueRange> ranges, Set<String> exceptTopics, long begunNanos) {
        this.ranges = List.copyOf(ranges);
        this.exceptTopics = Set.copyOf(exceptTopics);
        this.begunNanos = begunNanos;
    }

    /** Longest due first. */
    List<DueRange> ranges() {
        return ranges;
    }

    Set<String> exceptTopics() {
        return exceptTopics;
    }

    long begunNanos() {
        return begunNanos;
    }

    /** The due time to begin at, as a wall clock; null at the beginning of the range. */
    @Nullable Long reached(DueRange range) {
        return reached.get(range);
    }

    void cameTo(DueRange range, long dueMicros) {
        reached.merge(range, dueMicros, Math::max);
    }
}
