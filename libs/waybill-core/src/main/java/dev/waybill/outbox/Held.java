package dev.waybill.outbox;

import dev.waybill.store.ClaimedEvent;

/** A claimed in this relay's hands, and until when. */
final class Held {

    /** Whether room in the hand-off was reserved for it. */
    final boolean handedOff;

    /** When this relay took it, in the relay's nanoseconds. */
    final long takenAt;

    private volatile ClaimedEvent claimed;
    private volatile long heldUntil;
    private volatile boolean lost;
    private volatile long sentAt;

    Held(ClaimedEvent claimed, long takenAt, long heldUntil, boolean handedOff) {
        this.claimed = claimed;
        this.takenAt = takenAt;
        this.heldUntil = heldUntil;
        this.handedOff = handedOff;
    }

    ClaimedEvent claimed() {
        return claimed;
    }

    /** The row is ours for longer, under another fence. */
    void renewed(ClaimedEvent again, long until) {
        heldUntil = until;
        claimed = again;
    }

    void lost() {
        lost = true;
    }

    boolean isLost() {
        return lost;
    }

    /** Time left before somebody else may take the row. */
    long remaining(long now) {
        return lost ? 0 : heldUntil - now;
    }

    void sent(long now) {
        sentAt = now;
    }

    long sentAt() {
        return sentAt;
    }
}
