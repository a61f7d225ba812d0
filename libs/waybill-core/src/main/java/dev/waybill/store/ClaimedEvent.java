package dev.waybill.store;

import dev.waybill.message.Event;

/**
 * An event in its row, claimed by one relay until its lease ends. It is the one thing that a relay passes along from claim
 * to settlement.
 *
 * <p>Row and event never change; the claim does. A renewal moves the lease's end and, on tables whose due time is the
 * fence, the fence too. So whoever writes a statement reads the fence at that moment and not before. Safe for many threads.
 */
public final class ClaimedEvent implements ClaimedRow {

    /** What changes together: read once, it is consistent. */
    private record Claim(String fence, int attempts, long leaseEnd, boolean lost) {}

    private final String rowKey;
    private final Event event;
    private volatile Claim claim;
    private volatile boolean handedOff;
    private volatile long takenAt;
    private volatile long answeredAt;

    /** As a store makes it. The relay that gets it says until when its lease runs. */
    public ClaimedEvent(String rowKey, Event event, int attempts, String fence) {
        this.rowKey = rowKey;
        this.event = event;
        this.claim = new Claim(fence, attempts, Long.MAX_VALUE, false);
    }

    @Override
    public String rowKey() {
        return rowKey;
    }

    public Event event() {
        return event;
    }

    @Override
    public String eventId() {
        return event.eventId();
    }

    @Override
    public int attempts() {
        return claim.attempts;
    }

    @Override
    public String fence() {
        return claim.fence;
    }

    /** For stores: the row was renewed and has another fence from now on. Called after the renewal has committed. */
    public synchronized void fenced(String fence) {
        claim = new Claim(fence, claim.attempts, claim.leaseEnd, claim.lost);
    }

    /** A relay took the row out of the table. */
    public void claimed(long now, long leaseEnd) {
        takenAt = now;
        extended(leaseEnd);
    }

    /** A commit gave the event to the relay of its own process. */
    public void handedOff(long now, long leaseEnd) {
        handedOff = true;
        claimed(now, leaseEnd);
    }

    public boolean isHandedOff() {
        return handedOff;
    }

    /** The lease was renewed. */
    public synchronized void extended(long leaseEnd) {
        claim = new Claim(claim.fence, claim.attempts, leaseEnd, false);
    }

    /** The same relay claimed the row once more after its lease had run out: the newer claim counts. */
    public synchronized void reclaimed(ClaimedEvent newer, long leaseEnd) {
        claim = new Claim(newer.fence(), newer.attempts(), leaseEnd, false);
    }

    /** The row is another relay's by now. */
    public synchronized void lost() {
        claim = new Claim(claim.fence, claim.attempts, claim.leaseEnd, true);
    }

    public boolean isLost() {
        return claim.lost;
    }

    /** Nanoseconds before somebody else may take the row; not positive when somebody may have. */
    public long leaseLeft(long now) {
        Claim current = claim;
        return current.lost ? 0 : current.leaseEnd - now;
    }

    /** The broker, or the relay in its place, said what became of the send. */
    public void answered(long now) {
        answeredAt = now;
    }

    /** Nanoseconds from the relay's taking the event to the broker's answer. */
    public long latency() {
        return answeredAt - takenAt;
    }

    /** Nanoseconds since the broker's answer: rows are settled in batches, a moment later. */
    public long sinceAnswer(long now) {
        return now - answeredAt;
    }

    @Override
    public String toString() {
        return "ClaimedEvent[" + rowKey + ", " + event.eventId() + ", attempts " + claim.attempts + "]";
    }
}
