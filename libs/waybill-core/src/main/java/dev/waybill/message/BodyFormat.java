package dev.waybill.message;

/** How an event is written into a message's body. */
public enum BodyFormat {
    /** The whole envelope: eventId, eventType, aggregateType, aggregateId, bizKey, schemaVersion, occurredAt, traceId, headers, payload. */
    ENVELOPE,
    /** Seven fields and no more: eventId, eventType, aggregateType, aggregateId (a number), occurredAt, traceId, payload. */
    SEVEN_FIELDS
}
