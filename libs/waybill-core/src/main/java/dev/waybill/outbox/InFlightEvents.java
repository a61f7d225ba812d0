package dev.waybill.outbox;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.UnreadableRow;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Every event that this relay has claimed and not yet settled, by row: what its leases are renewed for. */
final class InFlightEvents {

    private final Lease lease;
    private final SendQueue queue;
    private final ByteBudget handedOffBytes;
    private final ByteBudget claimedBytes;
    private final Map<String, ClaimedEvent> byRow = new ConcurrentHashMap<>();
    private final Map<String, UnreadableRow> unreadable = new ConcurrentHashMap<>();

    InFlightEvents(Lease lease, SendQueue queue, long maxBytes) {
        this.lease = lease;
        this.queue = queue;
        this.handedOffBytes = new ByteBudget(maxBytes / 2);
        this.claimedBytes = new ByteBudget(maxBytes / 2);
    }

    Lease lease() {
        return lease;
    }

    /** Bytes of what is handed off, from the append on. */
    ByteBudget handedOffBytes() {
        return handedOffBytes;
    }

    /** Bytes of what was claimed from the table. */
    ByteBudget claimedBytes() {
        return claimedBytes;
    }

    /**
     * Takes in an event that a commit handed off. Room for it was reserved when it was appended.
     *
     * @param appendedAt when its lease began
     */
    void addHandedOff(ClaimedEvent event, long now, long appendedAt) {
        event.handedOff(now, leaseEnd(appendedAt));
        ClaimedEvent lost = byRow.put(event.rowKey(), event);
        if (lost != null) { // appended, undone unseen, and appended again
            bytesOf(lost).release(lost.event());
        }
    }

    /** Whether the row is held for this very event, and not for one that was appended again in its place. */
    boolean holds(ClaimedEvent event) {
        return byRow.get(event.rowKey()) == event;
    }

    /**
     * Takes in an event that was claimed from the table and lets it wait to be sent. A row that is here already was claimed
     * anew because this relay was too slow for its own lease: it is on its way, and once is enough.
     */
    void addClaimed(ClaimedEvent event, long claimedAt) {
        ClaimedEvent known = byRow.get(event.rowKey());
        if (known != null) {
            known.reclaimed(event, leaseEnd(claimedAt));
            return;
        }
        event.claimed(claimedAt, leaseEnd(claimedAt));
        byRow.put(event.rowKey(), event);
        claimedBytes.add(event.event());
        queue.add(event);
    }

    /** Whether a row that cannot be read is new here; one that is claimed again before it is settled is not. */
    boolean addUnreadable(UnreadableRow row) {
        return unreadable.putIfAbsent(row.rowKey(), row) == null;
    }

    /** How many claimed events still wait to be sent. */
    int claimedWaiting() {
        return queue.claimedWaiting();
    }

    void extend(ClaimedEvent event, long renewedAt) {
        event.extended(leaseEnd(renewedAt));
    }

    void remove(ClaimedRow row) {
        if (row instanceof ClaimedEvent event && byRow.remove(row.rowKey(), row)) {
            bytesOf(event).release(event.event());
        }
        unreadable.remove(row.rowKey(), row);
    }

    int size() {
        return byRow.size() + unreadable.size();
    }

    Collection<ClaimedEvent> all() {
        return byRow.values();
    }

    private ByteBudget bytesOf(ClaimedEvent event) {
        return event.isHandedOff() ? handedOffBytes : claimedBytes;
    }

    private long leaseEnd(long begin) {
        return begin + lease.duration().toNanos();
    }
}
