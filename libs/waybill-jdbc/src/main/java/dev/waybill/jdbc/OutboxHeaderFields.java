package dev.waybill.jdbc;

import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What stands in the headers because the table has no column for it. */
final class OutboxHeaderFields {

    private static final String EVENT_ID = "eventId";
    private static final String AGGREGATE_TYPE = "aggregateType";
    private static final String AGGREGATE_ID = "aggregateId";
    private static final String SCHEMA_VERSION = "schema_version";
    private static final String OCCURRED_AT = "occurredAt";
    private static final String TRACE_ID = "traceId";
    private static final String TOPIC = "topic";
    private static final String TAGS = "tags";

    /** Names inside a stored envelope whose table knows neither topics nor headers. */
    private static final String STORED_TOPIC = "waybill.topic";

    private static final String STORED_TAG = "waybill.tag";

    private final Map<String, String> rest;
    private final OutboxTable table;
    private final Map<String, String> taken = new TreeMap<>();

    OutboxHeaderFields(Map<String, String> headers, OutboxTable table) {
        this.rest = new TreeMap<>(headers);
        this.table = table;
        take(EVENT_ID, OutboxColumn.EVENT_ID);
        take(AGGREGATE_TYPE, OutboxColumn.AGGREGATE_TYPE);
        take(AGGREGATE_ID, OutboxColumn.AGGREGATE_ID);
        take(SCHEMA_VERSION, OutboxColumn.SCHEMA_VERSION);
        take(OCCURRED_AT, OutboxColumn.OCCURRED_AT);
        take(TRACE_ID, OutboxColumn.TRACE_ID);
        take(TOPIC, OutboxColumn.TOPIC);
        take(TAGS, OutboxColumn.TAG);
    }

    private void take(String name, OutboxColumn column) {
        String value = table.has(column) ? null : rest.remove(name);
        if (value != null) {
            taken.put(name, value);
        }
    }

    /** The headers' text for an event, null when there is nothing to write. */
    static @Nullable String write(Event event, OutboxTable table) {
        Map<String, String> headers = new TreeMap<>(event.headers());
        Destination destination = event.destination();
        if (!table.mapping().keyIsEventId()) {
            put(headers, EVENT_ID, table, OutboxColumn.EVENT_ID, event.eventId());
        }
        put(headers, AGGREGATE_TYPE, table, OutboxColumn.AGGREGATE_TYPE, event.aggregateType());
        put(headers, AGGREGATE_ID, table, OutboxColumn.AGGREGATE_ID, event.aggregateId());
        put(headers, SCHEMA_VERSION, table, OutboxColumn.SCHEMA_VERSION, String.valueOf(event.schemaVersion()));
        if (!table.has(OutboxColumn.OCCURRED_AT)) {
            headers.put(OCCURRED_AT, event.occurredAt().toString());
        }
        put(headers, TRACE_ID, table, OutboxColumn.TRACE_ID, event.traceId());
        if (destination != null) {
            put(headers, TOPIC, table, OutboxColumn.TOPIC, destination.topic());
            put(headers, TAGS, table, OutboxColumn.TAG, destination.tag());
        }
        return headers.isEmpty() ? null : Envelope.encodeHeaders(headers);
    }

    private static void put(
            Map<String, String> headers, String name, OutboxTable table, OutboxColumn column, @Nullable String value) {
        if (value != null && !table.has(column)) {
            headers.put(name, value);
        }
    }

    /** Headers beside a whole envelope: the id that makes it known as such, and where it goes. */
    static String writeId(Event event, OutboxTable table) {
        Map<String, String> headers = new TreeMap<>();
        headers.put(EVENT_ID, event.eventId());
        Destination destination = event.destination();
        if (destination != null) {
            put(headers, TOPIC, table, OutboxColumn.TOPIC, destination.topic());
            put(headers, TAGS, table, OutboxColumn.TAG, destination.tag());
        }
        return Envelope.encodeHeaders(headers);
    }

    /** An envelope does not say where it goes. Where no column and no headers do, its own headers carry it in storage. */
    static Event withDestination(Event event, OutboxTable table) {
        Destination destination = event.destination();
        boolean told = table.has(OutboxColumn.TOPIC) && table.has(OutboxColumn.TAG);
        if (destination == null || told || table.has(OutboxColumn.HEADERS)) {
            return event;
        }
        return event.toBuilder()
                .header(STORED_TOPIC, destination.topic())
                .header(STORED_TAG, destination.tag())
                .build();
    }

    /** Undoes {@link #withDestination}. */
    static Event.Builder destinationFrom(Event inside, @Nullable Destination told) {
        String topic = inside.headers().get(STORED_TOPIC);
        if (topic == null) {
            return inside.toBuilder().destination(told);
        }
        Map<String, String> headers = new TreeMap<>(inside.headers());
        headers.remove(STORED_TOPIC);
        String tag = headers.remove(STORED_TAG);
        return Event.builder(inside.type())
                .aggregate(inside.aggregateType(), inside.aggregateId())
                .bizKey(inside.bizKey())
                .schemaVersion(inside.schemaVersion())
                .occurredAt(inside.occurredAt())
                .traceId(inside.traceId())
                .headers(headers)
                .payload(inside.payload())
                .destination(Destination.of(topic, tag == null ? "" : tag));
    }

    @Nullable String eventId() {
        return taken.get(EVENT_ID);
    }

    /** The id that a stored envelope would carry: the one in the headers where the key took the event's id over. */
    String idOr(String eventId) {
        return taken.getOrDefault(EVENT_ID, eventId);
    }

    @Nullable String aggregateType() {
        return taken.get(AGGREGATE_TYPE);
    }

    @Nullable String aggregateId() {
        return taken.get(AGGREGATE_ID);
    }

    @Nullable String schemaVersion() {
        return taken.get(SCHEMA_VERSION);
    }

    @Nullable String occurredAt() {
        return taken.get(OCCURRED_AT);
    }

    @Nullable String traceId() {
        return taken.get(TRACE_ID);
    }

    @Nullable String topic() {
        return taken.get(TOPIC);
    }

    @Nullable String tag() {
        return taken.get(TAGS);
    }

    /** The headers that are the event's own. */
    Map<String, String> rest() {
        return rest;
    }
}
