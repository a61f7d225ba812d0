package dev.waybill.inventory.domain;

import dev.waybill.inventory.domain.StockComparison.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * Compares gate and database, row by row, reports where they differ and corrects the gate. It may run beside orders under way
 * and beside other reconcilers: the gate takes over only levels that are later than its own, and keeps the holds of orders under
 * way.
 */
@Service
public class StockReconciler {

    private static final Logger log = LoggerFactory.getLogger(StockReconciler.class);

    private final StockGate gate;
    private final StockRepository stock;

    StockReconciler(StockGate gate, StockRepository stock) {
        this.gate = gate;
        this.stock = stock;
    }

    /** Compares the whole stock once; returns the rows that differed. */
    public List<StockComparison> pass(int batch) {
        List<StockComparison> found = new ArrayList<>();
        StockKey last = null;
        for (List<StockLevel> page = stock.page(last, batch); !page.isEmpty(); page = next(page, batch)) {
            for (StockComparison comparison : gate.compare(page)) {
                if (comparison.verdict() == Verdict.AHEAD) {
                    checkAgain(comparison);
                }
                if (comparison.verdict() != Verdict.AGREES || comparison.abandoned() > 0) {
                    report(comparison);
                    found.add(comparison);
                }
            }
        }
        return found;
    }

    private List<StockLevel> next(List<StockLevel> page, int batch) {
        return page.size() < batch
                ? List.of()
                : stock.page(page.get(page.size() - 1).key(), batch);
    }

    /** The gate had a later version before this second read. If the row is still behind, the database was restored. */
    private void checkAgain(StockComparison comparison) {
        StockGate.View view = gate.look(comparison.level().key()).orElse(null);
        @Nullable StockLevel now = stock.find(comparison.level().key()).orElse(null);
        if (view != null && now != null && now.version() < view.version()) {
            gate.reset(now);
            log.warn(
                    "[Reconciler] the database was set back, gate follows key={} gateVersion={} databaseVersion={}",
                    now.key(),
                    view.version(),
                    now.version());
        }
    }

    private static void report(StockComparison comparison) {
        String line = "[Reconciler] {} key={} gate={} database={} abandoned={}";
        Object[] facts = {
            comparison.verdict(),
            comparison.level().key(),
            comparison.gate(),
            comparison.level().available(),
            comparison.abandoned()
        };
        if (comparison.verdict() == Verdict.DRIFTED || comparison.abandoned() > 0) {
            log.warn(line, facts);
        } else if (comparison.verdict() == Verdict.LOST) {
            log.info(line, facts);
        } else {
            log.debug(line, facts); // orders under way look like this for a moment
        }
    }
}
