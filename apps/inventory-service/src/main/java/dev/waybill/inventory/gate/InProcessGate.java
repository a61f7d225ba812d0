package dev.waybill.inventory.gate;

import dev.waybill.inventory.domain.HoldResult;
import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.StockComparison;
import dev.waybill.inventory.domain.StockComparison.Verdict;
import dev.waybill.inventory.domain.StockGate;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockLevel;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gate inside one process: for the quickstart and for tests. It forgets everything when the process ends. */
public final class InProcessGate implements StockGate {

    private final Map<StockKey, Entry> entries = new HashMap<>();
    private final Clock clock;
    private final Duration lease;

    public InProcessGate(Clock clock, Duration lease) {
        this.clock = clock;
        this.lease = lease;
    }

    private record Hold(long quantity, long lapsesAt) {}

    private static final class Entry {
        private long available;
        private long version;
        private final Map<String, Hold> holds = new HashMap<>();

        private Entry(StockLevel level) {
            take(level);
        }

        private void take(StockLevel level) {
            available = level.available();
            version = level.version();
        }

        private long held() {
            return holds.values().stream().mapToLong(Hold::quantity).sum();
        }

        private long freeFor(String orderNo) {
            Hold own = holds.get(orderNo);
            return available - held() + (own == null ? 0 : own.quantity());
        }
    }

    @Override
    public synchronized HoldResult tryReserve(OrderLines order) {
        List<StockKey> unknown =
                order.keys().stream().filter(key -> !entries.containsKey(key)).toList();
        if (!unknown.isEmpty()) {
            return new HoldResult.Unknown(unknown);
        }
        List<StockKey> missing = order.lines().stream()
                .filter(line -> entry(line.key()).freeFor(order.orderNo()) < line.quantity())
                .map(Line::key)
                .toList();
        if (!missing.isEmpty()) {
            return new HoldResult.TooFew(missing);
        }
        long lapsesAt = clock.millis() + lease.toMillis();
        for (Line line : order.lines()) {
            entry(line.key()).holds.put(order.orderNo(), new Hold(line.quantity(), lapsesAt));
        }
        return new HoldResult.Held();
    }

    private Entry entry(StockKey key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            throw new IllegalStateException(key + " has no level in the gate");
        }
        return entry;
    }

    @Override
    public synchronized void giveBack(String orderNo, List<StockKey> keys) {
        for (StockKey key : keys) {
            Entry entry = entries.get(key);
            if (entry != null) {
                entry.holds.remove(orderNo);
            }
        }
    }

    @Override
    public synchronized void settle(String orderNo, List<StockLevel> levels) {
        for (StockLevel level : levels) {
            Entry entry = entries.computeIfAbsent(level.key(), key -> new Entry(level));
            entry.holds.remove(orderNo);
            if (entry.version < level.version()) {
                entry.take(level);
            }
        }
    }

    @Override
    public synchronized List<StockComparison> compare(List<StockLevel> levels) {
        List<StockComparison> comparisons = new ArrayList<>(levels.size());
        levels.forEach(level -> comparisons.add(compare(level)));
        return comparisons;
    }

    private StockComparison compare(StockLevel level) {
        Entry entry = entries.get(level.key());
        if (entry == null) {
            entries.put(level.key(), new Entry(level));
            return new StockComparison(level, Verdict.LOST, -1, 0);
        }
        long now = clock.millis();
        int before = entry.holds.size();
        entry.holds.values().removeIf(hold -> hold.lapsesAt() <= now);
        Verdict verdict = verdict(entry, level);
        StockComparison comparison = new StockComparison(level, verdict, entry.available, before - entry.holds.size());
        if (verdict != Verdict.AHEAD) {
            entry.take(level);
        }
        return comparison;
    }

    private static Verdict verdict(Entry entry, StockLevel level) {
        if (entry.version != level.version()) {
            return entry.version < level.version() ? Verdict.BEHIND : Verdict.AHEAD;
        }
        return entry.available == level.available() ? Verdict.AGREES : Verdict.DRIFTED;
    }

    @Override
    public synchronized void reset(StockLevel level) {
        entries.computeIfAbsent(level.key(), key -> new Entry(level)).take(level);
    }

    @Override
    public synchronized Optional<View> look(StockKey key) {
        return Optional.ofNullable(entries.get(key))
                .map(entry -> new View(entry.available, entry.held(), entry.version));
    }

    @Override
    public boolean answers() {
        return true;
    }
}
