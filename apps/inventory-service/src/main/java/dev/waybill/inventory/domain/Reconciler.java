package dev.waybill.inventory.domain;

import dev.waybill.inventory.domain.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * Compares gate and database, row by row, reports where they differ and corrects the gate. Safe beside orders under way and
 * beside other reconcilers: the gate takes a level over only where it is later than what it knows, and holds of orders under way
 * stay.
 */
@Service
public class Reconciler {

    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

    private final StockGate gate;
    private final StockTable stock;

    Reconciler(StockGate gate, StockTable stock) {
        this.gate = gate;
        this.stock = stock;
    }

    /** One comparison of the whole stock; what was found beside agreement. */
    public List<Finding> pass(int batch) {
        List<Finding> found = new ArrayList<>();
        StockKey last = null;
        for (List<StockLevel> page = stock.page(last, batch); !page.isEmpty(); page = next(page, batch)) {
            for (Finding finding : gate.compare(page)) {
                if (finding.verdict() == Verdict.AHEAD) {
                    checkAgain(finding);
                }
                if (finding.verdict() != Verdict.AGREES || finding.abandoned() > 0) {
                    report(finding);
                    found.add(finding);
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

    /** The gate knew a later version before this second read: if the row is still behind, it was set back. */
    private void checkAgain(Finding finding) {
        StockGate.View view = gate.look(finding.level().key()).orElse(null);
        @Nullable StockLevel now = stock.find(finding.level().key()).orElse(null);
        if (view != null && now != null && now.version() < view.version()) {
            gate.reset(now);
            log.warn(
                    "[Reconciler] the database was set back, gate follows key={} gateVersion={} databaseVersion={}",
                    now.key(),
                    view.version(),
                    now.version());
        }
    }

    private static void report(Finding finding) {
        String line = "[Reconciler] {} key={} gate={} database={} abandoned={}";
        Object[] facts = {
            finding.verdict(),
            finding.level().key(),
            finding.gate(),
            finding.level().available(),
            finding.abandoned()
        };
        if (finding.verdict() == Verdict.DRIFTED || finding.abandoned() > 0) {
            log.warn(line, facts);
        } else if (finding.verdict() == Verdict.LOST) {
            log.info(line, facts);
        } else {
            log.debug(line, facts); // orders under way look like this for a moment
        }
    }
}
