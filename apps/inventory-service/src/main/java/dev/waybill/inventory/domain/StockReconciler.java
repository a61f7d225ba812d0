package dev.waybill.inventory.domain;

import dev.waybill.inventory.InventorySettings;
import dev.waybill.inventory.domain.StockComparison.Verdict;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/**
 * Compares gate and database, reports where they differ and corrects the gate. It may run beside orders under way and beside
 * other reconcilers: the gate takes over only levels that are later than its own, and keeps the holds of orders under way.
 *
 * <p>A pass costs what changed, not what there is. It compares the rows that changed since the last pass, the keys with a hold
 * whose lease has ended, and one more page of a walk over all rows, which finds what somebody did to the gate. Only a gate that
 * lost its data has everything compared at once.
 */
@Service
public class StockReconciler {

    private static final Logger log = LoggerFactory.getLogger(StockReconciler.class);

    private final String name = UUID.randomUUID().toString();
    private final StockGate gate;
    private final StockRepository stock;
    private final InventorySettings.Reconcile settings;
    private final Clock clock;
    private StockKey walked = StockKey.NONE;

    StockReconciler(StockGate gate, StockRepository stock, InventorySettings settings, Clock clock) {
        this.gate = gate;
        this.stock = stock;
        this.settings = settings.reconcile();
        this.clock = clock;
    }

    @Scheduled(fixedDelayString = "${inventory.reconcile.interval:2s}")
    void run() {
        if (!gate.isThere()) {
            return;
        }
        try {
            pass();
        } catch (GateUnavailableException | DataAccessException e) {
            log.warn("[Reconciler] pass failed, the next one starts in {} error={}", settings.interval(), e.toString());
        }
    }

    /** One pass. */
    public synchronized Findings pass() {
        Instant start = clock.instant();
        Findings findings = new Findings();
        Progress progress = gate.progress(name);
        boolean everything = progress instanceof Progress.RepairAll && repair(findings);
        if (everything) {
            gate.compared(name, start);
        } else if (progress instanceof Progress.ComparedUntil until) {
            compareChanged(until.time().isBefore(start) ? until.time() : start, start, findings);
            compareLapsed(findings);
            walk(findings);
            gate.compared(name, start);
        }
        findings.report(everything, Duration.between(start, clock.instant()));
        return findings;
    }

    /** False when the gate lost its data again on the way: the next pass begins anew. */
    private boolean repair(Findings findings) {
        StockKey last = StockKey.NONE;
        while (gate.repairing(name)) {
            List<StockLevel> page = stock.page(last, settings.batch());
            compare(page, findings);
            if (page.size() < settings.batch()) {
                return true;
            }
            last = page.get(page.size() - 1).key();
        }
        return false;
    }

    /**
     * A row's time is taken before its transaction commits, by a clock that may be another process's, so rows from before the
     * last pass are read once more. A transaction that took longer than the overlap is found by the walk.
     */
    private void compareChanged(Instant lastPass, Instant until, Findings findings) {
        Instant since = lastPass.minus(settings.overlap());
        StockKey last = StockKey.NONE;
        List<StockLevel> page;
        do {
            page = stock.changed(since, last, until, settings.batch());
            compare(page, findings);
            if (!page.isEmpty()) {
                since = page.get(page.size() - 1).changedAt();
                last = page.get(page.size() - 1).key();
            }
        } while (page.size() == settings.batch());
    }

    private void compareLapsed(Findings findings) {
        List<StockKey> keys = gate.lapsed(StockRepository.KEYS_AT_ONCE);
        if (!keys.isEmpty()) {
            compare(stock.read(keys), findings);
        }
    }

    private void walk(Findings findings) {
        List<StockLevel> page = stock.page(walked, settings.batch());
        compare(page, findings);
        walked = page.size() < settings.batch()
                ? StockKey.NONE
                : page.get(page.size() - 1).key();
    }

    private void compare(List<StockLevel> levels, Findings findings) {
        if (levels.isEmpty()) {
            return;
        }
        List<StockComparison> comparisons = gate.compare(levels);
        comparisons.forEach(findings::add);
        Map<StockKey, Long> ahead = comparisons.stream()
                .filter(comparison -> comparison.verdict() == Verdict.AHEAD)
                .collect(Collectors.toMap(comparison -> comparison.level().key(), StockComparison::gateVersion));
        if (!ahead.isEmpty()) {
            setBack(ahead, findings);
        }
    }

    /** The gate had these versions before this second read. A row that is still behind was restored to an earlier state. */
    private void setBack(Map<StockKey, Long> gateVersions, Findings findings) {
        List<StockLevel> restored = stock.read(List.copyOf(gateVersions.keySet())).stream()
                .filter(level -> level.version() < gateVersions.getOrDefault(level.key(), 0L))
                .toList();
        if (!restored.isEmpty()) {
            gate.reset(restored);
            findings.addSetBack(restored.size());
        }
    }
}
