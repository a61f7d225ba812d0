package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Transactions;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * What one transaction has appended and not yet committed. A rolled-back savepoint takes its events out; in any doubt
 * nothing is handed off and the leases decide.
 */
final class UncommittedEvents implements Transactions.Observer {

    private final Handoff handoff;
    private final Checkpoints checkpoints;
    private final List<ClaimedEvent> events = new ArrayList<>(4);
    private final IdentityHashMap<Object, Integer> savepoints = new IdentityHashMap<>(2);
    private long oldestAppend;
    private boolean someAreDue;

    UncommittedEvents(Handoff handoff, Checkpoints checkpoints) {
        this.handoff = handoff;
        this.checkpoints = checkpoints;
    }

    /** The relay's run that all events of this transaction are handed to, even if another one has begun by the commit. */
    Handoff handoff() {
        return handoff;
    }

    void appended(List<ClaimedEvent> appended, long appendedAt) {
        if (events.isEmpty()) {
            oldestAppend = appendedAt;
        }
        events.addAll(appended);
    }

    void due() {
        someAreDue = true;
    }

    @Override
    public void savepoint(Object savepoint) {
        savepoints.put(savepoint, events.size());
    }

    @Override
    public void rolledBackTo(Object savepoint) {
        int kept = Math.min(savepoints.getOrDefault(savepoint, 0), events.size());
        List<ClaimedEvent> undone = events.subList(kept, events.size());
        cancel(undone);
    }

    @Override
    public void committed() {
        checkpoints.reached(Checkpoints.Place.COMMITTED);
        if (!events.isEmpty()) {
            handoff.accept(List.copyOf(events), oldestAppend);
            events.clear();
        }
        if (someAreDue) {
            handoff.wake();
        }
    }

    @Override
    public void notCommitted() {
        cancel(events);
    }

    private void cancel(List<ClaimedEvent> undone) {
        handoff.cancel(undone.stream().map(ClaimedEvent::event).toList());
        undone.clear();
    }
}
