package dev.waybill.jdbc;

import static dev.waybill.jdbc.OutboxColumn.AGGREGATE_ID;
import static dev.waybill.jdbc.OutboxColumn.AGGREGATE_TYPE;
import static dev.waybill.jdbc.OutboxColumn.BIZ_KEY;
import static dev.waybill.jdbc.OutboxColumn.CREATED_AT;
import static dev.waybill.jdbc.OutboxColumn.EVENT_ID;
import static dev.waybill.jdbc.OutboxColumn.HEADERS;
import static dev.waybill.jdbc.OutboxColumn.KEY;
import static dev.waybill.jdbc.OutboxColumn.OCCURRED_AT;
import static dev.waybill.jdbc.OutboxColumn.PAYLOAD;
import static dev.waybill.jdbc.OutboxColumn.SCHEMA_VERSION;
import static dev.waybill.jdbc.OutboxColumn.SOURCE;
import static dev.waybill.jdbc.OutboxColumn.TAG;
import static dev.waybill.jdbc.OutboxColumn.TOPIC;
import static dev.waybill.jdbc.OutboxColumn.TRACE_ID;
import static dev.waybill.jdbc.OutboxColumn.TYPE;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.message.TraceParent;
import dev.waybill.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes an event into a row's columns and reads it back. A field goes to its column, else into the headers; where both
 * cannot tell the event, the payload column holds the whole envelope. Rows are maps of texts, times as microseconds since the epoch.
 */
final class OutboxRowCodec {

    private static final Duration TOLD_TO_THE_SECOND = Duration.ofSeconds(1);

    private final OutboxTable table;

    OutboxRowCodec(OutboxTable table) {
        this.table = table;
    }

    /**
     * The row for an event.
     *
     * @throws StoreException VALUE when a column cannot hold its field
     */
    Map<OutboxColumn, String> encode(Event event) {
        Map<OutboxColumn, String> row = columns(event, OutboxHeaderFields.write(event, table));
        row.put(PAYLOAD, event.payload());
        boolean silent = !table.has(TRACE_ID) && !table.has(HEADERS);
        Event told = table.has(HEADERS) ? event : TraceParent.withoutImplied(event); // a plain payload stays plain
        if (silent || !tells(row, told)) {
            Event inside = OutboxHeaderFields.withDestination(event, table);
            row.put(PAYLOAD, new String(Envelope.encode(inside, BodyFormat.ENVELOPE), StandardCharsets.UTF_8));
            if (table.has(HEADERS) && !table.has(EVENT_ID)) {
                row.put(HEADERS, OutboxHeaderFields.writeId(event, table));
            }
        }
        return row;
    }

    /** What a row says. */
    OutboxRowContent decode(Map<OutboxColumn, String> row) {
        try {
            return new OutboxRowContent.EventRow(read(row));
        } catch (MalformedEventException | IllegalArgumentException | DateTimeParseException e) {
            return unreadable(row, String.valueOf(e.getMessage()));
        }
    }

    private Map<OutboxColumn, String> columns(Event event, @Nullable String headers) {
        Map<OutboxColumn, String> row = new EnumMap<>(OutboxColumn.class);
        Destination destination = event.destination();
        put(row, EVENT_ID, event.eventId());
        put(row, TYPE, event.type());
        put(row, AGGREGATE_TYPE, event.aggregateType());
        put(row, AGGREGATE_ID, aggregateId(event));
        put(row, BIZ_KEY, event.bizKey());
        put(row, SCHEMA_VERSION, String.valueOf(event.schemaVersion()));
        put(row, OCCURRED_AT, String.valueOf(SqlTimes.micros(event.occurredAt())));
        put(row, TRACE_ID, event.traceId());
        put(row, TOPIC, destination == null ? null : destination.topic());
        put(row, TAG, destination == null ? null : destination.tag());
        put(row, SOURCE, table.source());
        put(row, HEADERS, headers);
        if (table.has(BIZ_KEY)
                && !row.containsKey(BIZ_KEY)
                && !table.shapeOf(BIZ_KEY).nullable()) {
            // often part of a unique key: an empty text would clash with the next one
            String aggregateId = event.aggregateId();
            row.put(BIZ_KEY, aggregateId == null ? event.eventId() : aggregateId);
        }
        return row;
    }

    /** A field with a column; a column that must not be empty gets an empty text, which reads as nothing. */
    private void put(Map<OutboxColumn, String> row, OutboxColumn column, @Nullable String value) {
        if (!table.has(column)) {
            return;
        }
        if (value != null) {
            row.put(column, value);
        } else if (column != BIZ_KEY && !table.shapeOf(column).nullable()) {
            row.put(column, column == HEADERS ? "{}" : "");
        }
    }

    private @Nullable String aggregateId(Event event) {
        String id = event.aggregateId();
        if (!table.has(AGGREGATE_ID) || !table.shapeOf(AGGREGATE_ID).numeric()) {
            return id;
        }
        if (id == null && table.shapeOf(AGGREGATE_ID).nullable()) {
            return null;
        }
        try {
            return String.valueOf(Long.parseLong(id == null ? "" : id));
        } catch (NumberFormatException e) {
            throw new StoreException(
                    StoreException.Reason.VALUE,
                    "table " + table.name() + " keeps aggregate ids as numbers in " + table.quoted(AGGREGATE_ID)
                            + "; event " + event.eventId() + " of type " + event.type() + " has "
                            + (id == null ? "none" : "'" + id + "'"),
                    e);
        }
    }

    private boolean tells(Map<OutboxColumn, String> row, Event event) {
        if (!table.has(HEADERS) && losesAField(event)) {
            return false; // spares the reading
        }
        Map<OutboxColumn, String> stored = new EnumMap<>(row);
        if (table.mapping().keyIsEventId()) {
            stored.put(KEY, event.eventId());
        } else if (table.has(KEY)) {
            stored.put(KEY, "0");
        }
        if (!(decode(stored) instanceof OutboxRowContent.EventRow readable)) {
            return false;
        }
        Event told = readable.event();
        boolean sameTime =
                Duration.between(told.occurredAt(), event.occurredAt()).abs().compareTo(TOLD_TO_THE_SECOND) < 0;
        return sameTime
                && told.toBuilder().occurredAt(event.occurredAt()).build().equals(event);
    }

    /** Whether the event says something for which there is neither a column nor a header. */
    private boolean losesAField(Event event) {
        return !event.headers().isEmpty()
                || (event.aggregateType() != null && !table.has(AGGREGATE_TYPE))
                || (event.aggregateId() != null && !table.has(AGGREGATE_ID))
                || (event.traceId() != null && !table.has(TRACE_ID));
    }

    private Event read(Map<OutboxColumn, String> row) {
        String headerText = row.get(HEADERS);
        Map<String, String> headers =
                headerText == null || headerText.isBlank() ? new TreeMap<>() : Envelope.decodeHeaders(headerText);
        OutboxHeaderFields fields = new OutboxHeaderFields(headers, table);
        String payload = row.get(PAYLOAD);
        if (payload == null) {
            throw new MalformedEventException("column " + table.quoted(PAYLOAD) + " is NULL", null);
        }
        String eventId = eventId(row, fields);
        Event inside = envelope(payload, fields.idOr(eventId));
        if (inside != null) {
            return OutboxHeaderFields.destinationFrom(inside, destination(row, fields))
                    .eventId(eventId)
                    .build();
        }
        return Event.builder(type(row))
                .eventId(eventId)
                .aggregate(
                        text(row, AGGREGATE_TYPE, fields.aggregateType()),
                        text(row, AGGREGATE_ID, fields.aggregateId()))
                .bizKey(text(row, BIZ_KEY, null))
                .schemaVersion(Integer.parseInt(or(text(row, SCHEMA_VERSION, fields.schemaVersion()), "1")))
                .occurredAt(occurredAt(row, fields))
                .traceId(text(row, TRACE_ID, fields.traceId()))
                .headers(fields.rest())
                .payload(payload)
                .destination(destination(row, fields))
                .build();
    }

    private String eventId(Map<OutboxColumn, String> row, OutboxHeaderFields fields) {
        String id = table.has(EVENT_ID)
                ? row.get(EVENT_ID)
                : table.mapping().keyIsEventId() ? row.get(KEY) : fields.eventId();
        return id == null || id.isBlank() ? nameBased(row) : id;
    }

    /** The same row gets the same id from every relay, also after a restart. */
    private String nameBased(Map<OutboxColumn, String> row) {
        String name = table.source() + "\n" + table.name() + "\n"
                + row.get(table.mapping().key());
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static @Nullable Event envelope(String payload, String eventId) {
        if (!payload.contains("\"eventId\"") || !payload.contains(eventId)) {
            return null; // spares the parsing
        }
        try {
            Event inside = Envelope.decode(payload);
            return inside.eventId().equals(eventId) ? inside : null;
        } catch (MalformedEventException e) {
            return null; // a plain payload that happens to name the id
        }
    }

    private String type(Map<OutboxColumn, String> row) {
        return table.has(TYPE) ? or(row.get(TYPE), "") : table.mapping().typeOf(or(row.get(TAG), ""));
    }

    private static @Nullable Destination destination(Map<OutboxColumn, String> row, OutboxHeaderFields fields) {
        String topic = text(row, TOPIC, fields.topic());
        return topic == null ? null : Destination.of(topic, or(text(row, TAG, fields.tag()), ""));
    }

    private static Instant occurredAt(Map<OutboxColumn, String> row, OutboxHeaderFields fields) {
        String inside = fields.occurredAt();
        String micros = text(row, OCCURRED_AT, inside == null ? row.get(CREATED_AT) : null);
        if (micros != null) {
            return SqlTimes.instantOf(Long.parseLong(micros));
        }
        return inside == null ? Instant.now() : Instant.parse(inside);
    }

    private static @Nullable String text(Map<OutboxColumn, String> row, OutboxColumn column, @Nullable String other) {
        String value = row.get(column);
        return value == null || value.isEmpty() ? other : value;
    }

    private static String or(@Nullable String value, String other) {
        return value == null ? other : value;
    }

    private OutboxRowContent unreadable(Map<OutboxColumn, String> row, String reason) {
        String id = row.get(EVENT_ID);
        return new OutboxRowContent.Unreadable(
                id == null || id.isBlank() ? nameBased(row) : id,
                "unreadable row " + row.get(table.mapping().key()) + " of " + table.name() + " (" + reason + "): "
                        + row.get(PAYLOAD));
    }
}
