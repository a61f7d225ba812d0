package dev.waybill.jdbc;

/** Where an event stands in a group. The words that a table stores for it are the mapping's. */
public enum InboxState {
    /** Admitted. Seen by others only when other software left it behind. */
    PROCESSING,
    /** Handled; its effect is committed. */
    SUCCESS,
    /** Not handled; admitted again when it comes again. A table may store the word of PROCESSING for it. */
    FAILED,
    /** Nothing to do. A table may store the word of SUCCESS for it. */
    IGNORED
}
