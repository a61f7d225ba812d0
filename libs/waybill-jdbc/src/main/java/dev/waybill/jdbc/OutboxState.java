package dev.waybill.jdbc;

/** Where an event stands. The words that a table stores for it are the mapping's. */
public enum OutboxState {
    /** Never tried. */
    NEW,
    /** Held by a relay. A table without a word for it shows the state from before. */
    CLAIMED,
    /** Failed, to be tried again. */
    RETRY,
    /** Confirmed by the broker. */
    SENT,
    /** Given up; waits for a person. */
    DEAD,
    /** Given up for good by a person. A table without a word for it loses the row, the audit keeps it. */
    DISCARDED
}
