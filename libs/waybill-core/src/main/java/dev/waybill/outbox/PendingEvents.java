package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.store.Parcel;
import dev.waybill.store.Transactions;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * What one transaction has appended and not yet committed. A rolled-back savepoint takes its events out; in any doubt
 * nothing is handed off and the leases decide.
 */
final class PendingEvents implements Transactions.Observer {

    private final Handoff handoff;
    private final Checkpoints checkpoints;
    private final List<Parcel> parcels = new ArrayList<>(4);
    private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>(2);
    private long oldestAppend;
    private boolean someAreDue;

    PendingEvents(Handoff handoff, Checkpoints checkpoints) {
        this.handoff = handoff;
        this.checkpoints = checkpoints;
    }

    void held(List<Parcel> appended, long appendedAt) {
        if (parcels.isEmpty()) {
            oldestAppend = appendedAt;
        }
        parcels.addAll(appended);
    }

    void due() {
        someAreDue = true;
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, parcels.size());
    }

    @Override
    public void rolledBackTo(Object savepoint) {
        int kept = Math.min(savepoints.getOrDefault(savepoint, 0), parcels.size());
        List<Parcel> undone = parcels.subList(kept, parcels.size());
        handoff.cancel(undone.size());
        undone.clear();
    }

    @Override
    public void committed() {
        checkpoints.reached(Checkpoints.Place.COMMITTED);
        if (!parcels.isEmpty()) {
            handoff.accept(List.copyOf(parcels), oldestAppend);
            parcels.clear();
        }
        if (someAreDue) {
            handoff.wake();
        }
    }

    @Override
    public void notCommitted() {
        handoff.cancel(parcels.size());
        parcels.clear();
    }
}
