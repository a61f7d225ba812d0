package dev.waybill.inbox;

/** What a handler made of an event. */
public sealed interface Handled {

    Handled DONE = new Done();

    static Handled ignored(String reason) {
        return new Ignored(reason);
    }

    static Handled retry(String cause) {
        return new Retry(cause);
    }

    static Handled reject(String cause) {
        return new Reject(cause);
    }

    /** Its effect is in the transaction. */
    record Done() implements Handled {}

    /** Nothing to do, for good: out of order, or no longer of interest. What it wrote commits. */
    record Ignored(String reason) implements Handled {}

    /** Not now: rolled back, delivered again with a growing delay, and a dead letter in the end. */
    record Retry(String cause) implements Handled {}

    /** Never: rolled back, a dead letter at once. */
    record Reject(String cause) implements Handled {}
}
