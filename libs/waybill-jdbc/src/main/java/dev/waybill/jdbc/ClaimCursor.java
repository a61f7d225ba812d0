package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxTable.DueRange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A walk through the due rows in several steps, each beginning where the last one came to. The index entries that earlier
 * steps left behind stay in the way until the database clears them up, and every step that began at the front would pass
 * all of them. A row that becomes due behind a walk's back is found by the next walk.
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

    /** The due time (a face) to begin at; null for the front. */
    @Nullable Long reached(DueRange range) {
        return reached.get(range);
    }

    void cameTo(DueRange range, long dueFace) {
        reached.merge(range, dueFace, Math::max);
    }
}
