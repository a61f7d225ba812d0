package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.LogText;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes settlements into their rows, many with one statement. The same thread renews leases, so that a renewal can never
 * change a fence between reading it and writing the row.
 */
final class Settler {

    private static final Logger log = LoggerFactory.getLogger(Settler.class);

    private final OutboxStore store;
    private final SettlementQueue queue;
    private final InFlightEvents inFlight;
    private final LeaseRenewer leases;
    private final RelayReporter reporter;
    private final RelayHooks hooks;
    private final List<Settlement> batch = new ArrayList<>();

    Settler(
            OutboxStore store,
            SettlementQueue queue,
            InFlightEvents inFlight,
            LeaseRenewer leases,
            RelayReporter reporter,
            RelayHooks hooks) {
        this.store = store;
        this.queue = queue;
        this.inFlight = inFlight;
        this.leases = leases;
        this.reporter = reporter;
        this.hooks = hooks;
    }

    void step() throws InterruptedException {
        leases.renewDue();
        queue.fill(batch, this::someAreUnanswered);
        settle();
    }

    private boolean someAreUnanswered() {
        return inFlight.size() > queue.unsettled();
    }

    /** Writes everything that is to be written by now. */
    void flush() {
        queue.takeInto(batch, Integer.MAX_VALUE);
        settle();
    }

    private void settle() {
        if (batch.isEmpty()) {
            return;
        }
        hooks.reached(Place.SETTLING);
        int written;
        try {
            written = store.settle(List.copyOf(batch));
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.UNAVAILABLE || e.reason() == StoreException.Reason.CONFLICT) {
                throw e; // tried again after a pause; the fences tell whether the rows are still ours by then
            }
            settleOneByOne();
            return;
        }
        if (written < batch.size()) {
            reporter.leasesLost(batch.size() - written);
        }
        batch.forEach(this::settled);
        clear();
        hooks.reached(Place.SETTLED);
    }

    /** One row that the database does not take must not keep hundreds from being settled. */
    private void settleOneByOne() {
        for (Settlement settlement : batch) {
            try {
                if (store.settle(List.of(settlement)) == 0) {
                    reporter.leasesLost(1);
                }
                settled(settlement);
            } catch (StoreException e) {
                log.error(
                        "[OutboxRelay] Settle failed, the row comes back after its lease eventId={}",
                        LogText.token(settlement.row().eventId()),
                        LogText.thrown(e));
                inFlight.remove(settlement.row());
            }
        }
        clear();
    }

    private void settled(Settlement settlement) {
        inFlight.remove(settlement.row());
        reporter.settled(settlement, hooks.now());
    }

    private void clear() {
        queue.settled(batch.size());
        batch.clear();
    }
}
