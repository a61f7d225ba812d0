package dev.waybill.inventory.domain;

import dev.waybill.inventory.domain.StockComparison.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What one pass of the reconciler found, summed up in one log line however many rows there were. */
public final class Findings {

    private static final Logger log = LoggerFactory.getLogger(StockReconciler.class);

    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private int compared;
    private int abandoned;
    private int setBack;
    private @Nullable Instant oldest;

    void add(StockComparison comparison) {
        compared++;
        counts.merge(comparison.verdict(), 1, Integer::sum);
        abandoned += comparison.abandoned();
        if (comparison.verdict() == Verdict.AGREES && comparison.abandoned() == 0) {
            return;
        }
        Instant changedAt = comparison.level().changedAt();
        if (oldest == null || changedAt.isBefore(oldest)) {
            oldest = changedAt;
        }
        log.debug(
                "[Reconciler] {} key={} gate={} database={} abandoned={}",
                comparison.verdict(),
                comparison.level().key(),
                comparison.gate(),
                comparison.level().available(),
                comparison.abandoned());
    }

    void addSetBack(int rows) {
        setBack += rows;
    }

    public int compared() {
        return compared;
    }

    public int count(Verdict verdict) {
        return counts.getOrDefault(verdict, 0);
    }

    /** Rows that are behind or ahead are usual while orders are under way. {@code oldest} is the earliest change that was missed. */
    void report(boolean everything, Duration took) {
        Level level = count(Verdict.DRIFTED) + abandoned + setBack > 0
                ? Level.WARN
                : everything || count(Verdict.LOST) > 0 ? Level.INFO : Level.DEBUG;
        if (level == Level.DEBUG && oldest == null) {
            return;
        }
        log.atLevel(level)
                .log(
                        "[Reconciler] {} compared={} lost={} behind={} drifted={} ahead={} setBack={} abandoned={} oldest={} costMs={}",
                        everything ? "repaired everything" : "repaired",
                        compared,
                        count(Verdict.LOST),
                        count(Verdict.BEHIND),
                        count(Verdict.DRIFTED),
                        count(Verdict.AHEAD),
                        setBack,
                        abandoned,
                        oldest,
                        took.toMillis());
    }
}
