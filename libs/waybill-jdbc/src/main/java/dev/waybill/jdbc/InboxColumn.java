package dev.waybill.jdbc;

/** What a consume log's columns can mean. A layout names the columns it has. */
public enum InboxColumn {
    /** The event's id, or the message key that is equal to it. Required. */
    EVENT_ID,
    /** Who consumes. Part of the unique key, unless the mapping has one consumer per event. */
    GROUP,
    TYPE,
    TRACE_ID,
    /** Where the event stands, in the words of the mapping. Absent: a row means done. */
    STATUS,
    /** Handlings that failed. Needs STATUS. */
    ATTEMPTS,
    /** The last error of a failed event, the reason of an ignored one. Needs STATUS. */
    ERROR,
    /** How long the handler took, in milliseconds. Needs STATUS. */
    COST_MS,
    /** When it was done. Needs STATUS. */
    DONE_AT,
    CREATED_AT,
    UPDATED_AT;

    /** The name under which the statements' texts know the column, such as {@code eventId}. */
    String placeholder() {
        return SqlNames.placeholder(name());
    }
}
