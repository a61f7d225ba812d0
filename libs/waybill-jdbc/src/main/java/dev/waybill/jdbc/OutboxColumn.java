package dev.waybill.jdbc;

/** What a column of an outbox table can mean. Few are required; a table without the others loses a convenience, never a guarantee. */
public enum OutboxColumn {
    /** The numeric key that the database makes. Absent: the event's id is the key. */
    KEY,
    /** The event's id. Absent: it stands in the headers, or is the key itself. */
    EVENT_ID,
    /** What happened. Absent: made from the tag. */
    TYPE,
    AGGREGATE_TYPE,
    AGGREGATE_ID,
    BIZ_KEY,
    SCHEMA_VERSION,
    OCCURRED_AT,
    TRACE_ID,
    /** A JSON object; takes what has no column of its own. */
    HEADERS,
    /** The payload, or the whole envelope where the other columns cannot tell the event. Required. */
    PAYLOAD,
    TOPIC,
    TAG,
    /** The publishing application. */
    SOURCE,
    /** Where the event stands, in the words of the mapping. Required. */
    STATUS,
    /** Sends that failed. Required. */
    ATTEMPTS,
    /** When the row may be taken next. Required. */
    DUE,
    /** The relay that holds the row: the first choice of a fence. */
    TOKEN,
    /** A number that every change raises: the second choice of a fence. */
    VERSION,
    BROKER_ID,
    /** The last error. Absent: it is in the table {@code waybill_attempt} only. */
    ERROR,
    SENT_AT,
    CREATED_AT,
    UPDATED_AT;

    /** The name under which the statements' texts know the column, such as {@code eventId}. */
    String placeholder() {
        return SqlNames.placeholder(name());
    }
}
