package dev.waybill.inbox;

/** What to do with an event type that nobody handles. */
public enum UnknownTypes {
    /** A shared topic: others want it. Acknowledge and count, no row in the consume log. */
    ACKNOWLEDGE,
    /** A queue of our own: nobody else will ever handle it. A dead letter at once. */
    DEAD_LETTER
}
