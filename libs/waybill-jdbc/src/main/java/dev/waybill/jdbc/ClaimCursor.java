package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxTable.DueRange;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers up to which due time claims have come that leave out the same topics, so that each begins where the last one
 * ended. A claim that began at the front would read again the index entries of rows that were claimed before, which stay
 * until the database removes them, and all waiting rows of topics that it leaves out.
 *
 * <p>Two places are kept for each range. Within a walk of a second at most, the exact one. Beyond it, one that stays ten seconds
 * behind the clock: a transaction that commits late brings rows that were due before. What comes later still is found from
 * the front. Each walk begins there unless that takes long; then only so often that it costs a twentieth of the time.
 */
final class ClaimCursor {

    private static final long WALK_NANOS = 1_000_000_000L;
    private static final long LATE_COMMIT_MICROS = 10_000_000L;
    private static final long CHEAP_NANOS = 100_000_000L;
    private static final int FRONT_SHARE = 20;

    private final Set<String> exceptTopics;
    private final Map<DueRange, Long> reached = new ConcurrentHashMap<>();
    private final Map<DueRange, Long> passed = new ConcurrentHashMap<>();
    private volatile long walkBegan;
    private volatile long frontBegan;
    private volatile long frontTook;
    private volatile long frontTookBefore;
    private volatile boolean atFront;
    private volatile boolean walking;
    private volatile List<DueRange> ranges = List.of();

    ClaimCursor(Set<String> exceptTopics) {
        this.exceptTopics = Set.copyOf(exceptTopics);
    }

    Set<String> exceptTopics() {
        return exceptTopics;
    }

    /** Whether the last claim came back full and its walk still serves; else a new walk has to begin. */
    boolean isWalking(long now) {
        return walking && now - walkBegan < WALK_NANOS;
    }

    /** Begins a walk, at the front if it is time for that. */
    void begin(long now) {
        long usual = Math.min(frontTook, frontTookBefore); // once may be the machine's hiccup
        atFront = usual < CHEAP_NANOS || now - frontBegan >= FRONT_SHARE * usual;
        if (atFront) {
            frontBegan = now;
            passed.clear(); // the database's clock may have been set back since
        }
        walkBegan = now;
        reached.clear();
        reached.putAll(passed);
    }

    /** The ranges that this walk goes through, longest due first. */
    void found(List<DueRange> found) {
        ranges = List.copyOf(found);
    }

    List<DueRange> ranges() {
        return ranges;
    }

    /** The first look of a walk, which alone reads what lies before the rows that are taken, has taken so long. */
    void looked(long nanos) {
        if (atFront) {
            frontTookBefore = frontTook;
            frontTook = nanos;
            atFront = false;
        }
    }

    /** The due time to begin at, as a wall clock; null at the beginning of the range. */
    @Nullable Long reached(DueRange range) {
        return reached.get(range);
    }

    /** The same for all ranges, as they are now: another claim may move them meanwhile. */
    Map<DueRange, Long> reached() {
        return Map.copyOf(reached);
    }

    /** A step took rows up to this due time, while the database's clock showed that. */
    void cameTo(DueRange range, long dueMicros, long wallClock) {
        if (!range.withoutDueTime()) {
            reached.merge(range, dueMicros, Math::max);
            passed.merge(range, Math.min(dueMicros, wallClock - LATE_COMMIT_MICROS), Math::max);
        }
    }

    /** There are no more rows that were due when the clock showed that. */
    void cameToTheEnd(DueRange range, long wallClock) {
        cameTo(range, wallClock, wallClock);
    }

    /** How the claim ended: a full one goes on from here next time. */
    void claimed(boolean full) {
        walking = full;
    }
}
