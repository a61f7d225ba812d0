package dev.waybill.transport;

/** What the receiver made of a delivery. */
public sealed interface Verdict {

    /** Done with, acknowledge it. */
    record Done() implements Verdict {}

    /** Worth another delivery after the subscription's next delay; after the last one it is a dead letter. */
    record Again(String error) implements Verdict {}

    /** No delivery will help: a dead letter at once. */
    record Bury(String error) implements Verdict {}
}
