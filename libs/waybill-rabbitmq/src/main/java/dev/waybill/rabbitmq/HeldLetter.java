package dev.waybill.rabbitmq;

/** A dead letter in hand that is not saved yet. */
final class HeldLetter {

    final UnackedMessage letter;

    /** About what it takes up in memory. */
    final long bytes;

    private final long since = System.nanoTime();
    private long offerAfter = since;
    private int refusals;
    private boolean unclaimed;
    private boolean movable = true;

    HeldLetter(UnackedMessage letter) {
        this.letter = letter;
        this.bytes = letter.body.length + RepublishHeaders.bytes(letter.properties);
    }

    void refused() {
        unclaimed = false;
        refusals++;
        offerAfter = System.nanoTime() + HeldMessages.pauseNanos(refusals);
    }

    void unclaimed() {
        unclaimed = true;
    }

    /** Nothing that this client can send, so there will be no copy of it. */
    void unmovable() {
        movable = false;
    }

    int refusals() {
        return refusals;
    }

    boolean isUnclaimed() {
        return unclaimed;
    }

    boolean isDue(long now) {
        return now - offerAfter >= 0;
    }

    boolean isMovable() {
        return movable && !letter.stale();
    }

    /** Offered, and still here. */
    boolean waits() {
        return unclaimed || refusals > 0;
    }

    /** Whether a quorum queue has counted it: when it has done so often enough, it drops the letter. */
    boolean isCounted() {
        return letter.redeliveries() > 0;
    }

    /** Whether it is somebody else's, and hidden from them for so long. */
    boolean isHiddenFor(long nanos, long now) {
        return unclaimed && now - since > nanos;
    }
}
