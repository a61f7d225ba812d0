package dev.waybill.inventory.domain;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells the gate how a transaction ended. If the end is unknown or the gate does not answer, the gate is not told: the hold's
 * lease ends, and the reconciler corrects the level.
 */
final class StockGateSynchronization implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(StockGateSynchronization.class);

    private final StockGate gate;
    private final String orderNo;
    private final List<StockKey> keys;
    private List<StockLevel> levels = List.of();

    private StockGateSynchronization(StockGate gate, String orderNo, List<StockKey> keys) {
        this.gate = gate;
        this.orderNo = orderNo;
        this.keys = keys;
    }

    /** Registered before the gate is called, because a call that timed out may have taken effect. */
    static StockGateSynchronization register(StockGate gate, String orderNo, List<StockKey> keys) {
        StockGateSynchronization registered = new StockGateSynchronization(gate, orderNo, keys);
        TransactionSynchronizationManager.registerSynchronization(registered);
        return registered;
    }

    /** The levels that the gate takes over after the commit. */
    void settle(List<StockLevel> after) {
        this.levels = after;
    }

    @Override
    public void afterCompletion(int status) {
        try {
            if (status == STATUS_COMMITTED && !levels.isEmpty()) {
                gate.settle(orderNo, levels);
            } else if (status != STATUS_UNKNOWN && !keys.isEmpty()) {
                gate.giveBack(orderNo, keys);
            }
        } catch (GateUnavailableException e) {
            log.warn(
                    "[StockGate] not told, the reconciler will see to it orderNo={} error={}", orderNo, e.getMessage());
        }
    }
}
