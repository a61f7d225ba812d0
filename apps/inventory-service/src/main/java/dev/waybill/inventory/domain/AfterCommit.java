package dev.waybill.inventory.domain;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells the gate how a transaction ended. Where the end is unknown, or the gate does not answer, nothing is told: the lease and
 * the reconciler see to it.
 */
final class AfterCommit implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(AfterCommit.class);

    private final StockGate gate;
    private final Steps steps;
    private final Steps.Place committed;
    private final String orderNo;
    private final List<StockKey> keys;
    private List<StockLevel> levels = List.of();

    private AfterCommit(StockGate gate, Steps steps, Steps.Place committed, String orderNo, List<StockKey> keys) {
        this.gate = gate;
        this.steps = steps;
        this.committed = committed;
        this.orderNo = orderNo;
        this.keys = keys;
    }

    /** Registered before the gate is asked, because an unanswered question may have been heard. */
    static AfterCommit register(
            StockGate gate, Steps steps, Steps.Place committed, String orderNo, List<StockKey> keys) {
        AfterCommit hook = new AfterCommit(gate, steps, committed, orderNo, keys);
        TransactionSynchronizationManager.registerSynchronization(hook);
        return hook;
    }

    /** What the rows are after the commit. */
    void settle(List<StockLevel> after) {
        this.levels = after;
    }

    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_UNKNOWN) {
            return;
        }
        boolean moved = status == STATUS_COMMITTED && !levels.isEmpty();
        if (moved) {
            steps.reached(committed);
        }
        try {
            if (moved) {
                gate.settle(orderNo, levels);
                steps.reached(Steps.Place.GATE_SETTLED);
            } else if (!keys.isEmpty()) {
                gate.giveBack(orderNo, keys);
            }
        } catch (GateUnavailableException e) {
            log.warn(
                    "[StockGate] not told, the reconciler will see to it orderNo={} error={}", orderNo, e.getMessage());
        }
    }
}
