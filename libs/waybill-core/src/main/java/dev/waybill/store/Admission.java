package dev.waybill.store;

/** Whether an event may be handled now. */
public sealed interface Admission {

    /**
     * Handle it: the row is ours until the transaction ends.
     *
     * @param rowKey names the row; only the store reads it
     * @param attempts how often it failed before
     */
    record Admitted(String rowKey, int attempts) implements Admission {}

    /** It was handled (or ignored) before: acknowledge and skip. */
    record AlreadyDone() implements Admission {}

    /** Somebody else is at it: come back later. Nothing is spent. */
    record InProgress() implements Admission {}
}
