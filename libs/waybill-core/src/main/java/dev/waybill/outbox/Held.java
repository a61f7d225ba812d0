package dev.waybill.outbox;

import dev.waybill.store.Parcel;

/** A parcel in this relay's hands, and until when. */
final class Held {

    /** Whether room in the hand-off was reserved for it. */
    final boolean handedOff;

    /** When this relay took it, in the relay's nanoseconds. */
    final long takenAt;

    private volatile Parcel parcel;
    private volatile long heldUntil;
    private volatile boolean lost;
    private volatile long sentAt;

    Held(Parcel parcel, long takenAt, long heldUntil, boolean handedOff) {
        this.parcel = parcel;
        this.takenAt = takenAt;
        this.heldUntil = heldUntil;
        this.handedOff = handedOff;
    }

    Parcel parcel() {
        return parcel;
    }

    /** The row is ours for longer, under another fence. */
    void renewed(Parcel again, long until) {
        heldUntil = until;
        parcel = again;
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
