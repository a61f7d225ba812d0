package dev.waybill.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes an event as the JSON that brokers carry, and reads it back. The payload's text is kept to the letter. */
public final class Envelope {

    private static final JsonFactory JSON = new JsonFactory();
    private static final char REPLACEMENT = '\uFFFD';

    private Envelope() {}

    /**
     * Writes the envelope.
     *
     * @throws MalformedEventException when the payload is no JSON value, or the format asks for what the event lacks
     */
    public static byte[] encode(Event event, BodyFormat format) {
        checkJson(event.payload(), event.eventId());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(event.payload().length() + 400);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            json.writeStringProperty("eventId", event.eventId());
            json.writeStringProperty("eventType", event.type());
            optional(json, "aggregateType", event.aggregateType());
            if (format == BodyFormat.SEVEN_FIELDS) {
                json.writeNumberProperty("aggregateId", numericAggregateId(event));
            } else {
                optional(json, "aggregateId", event.aggregateId());
                optional(json, "bizKey", event.bizKey());
                json.writeNumberProperty("schemaVersion", event.schemaVersion());
            }
            json.writeStringProperty("occurredAt", event.occurredAt().toString());
            optional(json, "traceId", event.traceId());
            if (format == BodyFormat.ENVELOPE) {
                json.writeName("headers");
                writeHeaders(json, event.headers());
            }
            json.writeName("payload");
            writePayload(json, event.payload(), bytes);
            json.writeEndObject();
        } catch (JacksonException e) {
            throw new MalformedEventException("event " + event.eventId() + " cannot be written as JSON", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads either format back.
     *
     * @throws MalformedEventException on anything that is not an envelope
     */
    public static Event decode(byte[] body) {
        return decode(utf8(body));
    }

    /** A replacement character may have been sent as such, or stand for bytes that are no UTF-8: only then a closer look costs. */
    private static String utf8(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8);
        if (text.indexOf(REPLACEMENT) >= 0 && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), body)) {
            throw new MalformedEventException("the body is not UTF-8", null);
        }
        return text;
    }

    /**
     * Reads either format back from text.
     *
     * @throws MalformedEventException on anything that is not an envelope
     */
    public static Event decode(String text) {
        Map<String, String> fields = new TreeMap<>();
        Map<String, String> headers = Map.of();
        Set<String> names = new HashSet<>();
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedEventException("an envelope is a JSON object", null);
            }
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                refuseRepeated(name, names);
                JsonToken token = json.nextToken();
                if (name.equals("headers") && token == JsonToken.START_OBJECT) {
                    headers = readHeaders(json, text);
                } else if (name.equals("payload")) {
                    fields.put(name, rawValue(json, text));
                } else if (token.isStructStart()) {
                    json.skipChildren(); // a field that a newer writer added
                } else if (token != JsonToken.VALUE_NULL) {
                    fields.put(name, json.getString());
                }
            }
            if (json.nextToken() != null) {
                throw new MalformedEventException("text after the envelope", null);
            }
        } catch (JacksonException e) {
            throw new MalformedEventException("broken JSON: " + e.getOriginalMessage(), e);
        }
        return toEvent(fields, headers);
    }

    /** The headers as one JSON object. */
    public static String encodeHeaders(Map<String, String> headers) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 * headers.size() + 2);
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            writeHeaders(json, headers);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Reads a JSON object as headers; values that are not texts keep their JSON form. */
    public static Map<String, String> decodeHeaders(String text) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedEventException("headers are a JSON object", null);
            }
            return readHeaders(json, text);
        } catch (JacksonException e) {
            throw new MalformedEventException("broken headers: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Checks a payload.
     *
     * @throws MalformedEventException unless the text is exactly one JSON value
     */
    public static void checkJson(String text, String eventId) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (json.nextToken() == null) {
                throw new MalformedEventException("event " + eventId + " has an empty payload", null);
            }
            json.skipChildren();
            if (json.nextToken() != null) {
                throw new MalformedEventException("event " + eventId + " has text after its payload", null);
            }
        } catch (JacksonException e) {
            throw new MalformedEventException(
                    "event " + eventId + " has a payload that is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** Plain ASCII, as most payloads are, goes past the generator, which would look at each character more closely. */
    private static void writePayload(JsonGenerator json, String payload, ByteArrayOutputStream bytes) {
        if (!isAscii(payload)) {
            json.writeRawValue(payload); // which refuses half a surrogate pair
            return;
        }
        json.writeRawValue("");
        json.flush();
        bytes.writeBytes(payload.getBytes(StandardCharsets.US_ASCII));
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 128) {
                return false;
            }
        }
        return true;
    }

    private static void writeHeaders(JsonGenerator json, Map<String, String> headers) {
        json.writeStartObject();
        headers.forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private static Map<String, String> readHeaders(JsonParser json, String text) {
        Map<String, String> headers = new TreeMap<>();
        Set<String> names = new HashSet<>();
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            refuseRepeated(name, names);
            JsonToken token = json.nextToken();
            if (token == JsonToken.VALUE_STRING) {
                headers.put(name, json.getString());
            } else if (token != JsonToken.VALUE_NULL) {
                headers.put(name, rawValue(json, text));
            }
        }
        return headers;
    }

    /** Two readers would take two different ones of a field that is there twice. The payload's own fields are its reader's. */
    private static void refuseRepeated(String name, Set<String> names) {
        if (!names.add(name)) {
            throw new MalformedEventException("the field " + LogText.token(name) + " is there twice", null);
        }
    }

    /** The current value exactly as it stands in the text. */
    private static String rawValue(JsonParser json, String text) {
        int start = (int) json.currentTokenLocation().getCharOffset();
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            json.finishToken();
        }
        json.skipChildren();
        return text.substring(start, (int) json.currentLocation().getCharOffset())
                .strip();
    }

    private static Event toEvent(Map<String, String> fields, Map<String, String> headers) {
        String version = fields.getOrDefault("schemaVersion", "1");
        try {
            return Event.builder(required(fields, "eventType"))
                    .eventId(required(fields, "eventId"))
                    .aggregate(fields.get("aggregateType"), fields.get("aggregateId"))
                    .bizKey(fields.get("bizKey"))
                    .schemaVersion(Integer.parseInt(version))
                    .occurredAt(Instant.parse(required(fields, "occurredAt")))
                    .traceId(fields.get("traceId"))
                    .headers(headers)
                    .payload(required(fields, "payload"))
                    .build();
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new MalformedEventException("not an envelope: " + e.getMessage(), e);
        }
    }

    private static String required(Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new MalformedEventException("an envelope needs " + name, null);
        }
        return value;
    }

    private static long numericAggregateId(Event event) {
        String id = event.aggregateId();
        try {
            return Long.parseLong(id == null ? "" : id);
        } catch (NumberFormatException e) {
            throw new MalformedEventException(
                    "event " + event.eventId() + " needs a number as aggregateId, has " + id, e);
        }
    }

    private static void optional(JsonGenerator json, String name, @Nullable String value) {
        if (value == null) {
            json.writeNullProperty(name);
        } else {
            json.writeStringProperty(name, value);
        }
    }
}
