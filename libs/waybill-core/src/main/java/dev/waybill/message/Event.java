package dev.waybill.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, to be told to others. It is published as this record and stays unchanged inside
 * {@code ClaimedEvent} and {@link Message}.
 *
 * @param eventId unique everywhere; consumers recognise repeats by it
 * @param type what happened, such as {@code OrderCreated}
 * @param aggregateType kind of thing it happened to, such as {@code Order}
 * @param aggregateId which one
 * @param bizKey the business key people search by, such as the order number
 * @param schemaVersion version of the payload's shape, from 1
 * @param occurredAt when it happened, to the millisecond
 * @param traceId the trace that caused it
 * @param headers small texts beside the payload, sorted by name
 * @param payload the data: one JSON value, as text
 * @param destination where it goes; null leaves that to the relay's routes
 */
public record Event(
        String eventId,
        String type,
        @Nullable String aggregateType,
        @Nullable String aggregateId,
        @Nullable String bizKey,
        int schemaVersion,
        Instant occurredAt,
        @Nullable String traceId,
        Map<String, String> headers,
        String payload,
        @Nullable Destination destination) {

    public Event {
        if (eventId.isBlank()) {
            throw new IllegalArgumentException("an event needs an id");
        }
        if (type.isBlank()) {
            throw new IllegalArgumentException("an event needs a type");
        }
        if (schemaVersion < 1) {
            throw new IllegalArgumentException("schemaVersion starts at 1, was " + schemaVersion);
        }
        occurredAt = occurredAt.truncatedTo(ChronoUnit.MILLIS);
        headers = headers.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(headers));
    }

    /** An event of this type that carries this JSON; id and time are made now. */
    public static Event of(String type, String payload) {
        return builder(type).payload(payload).build();
    }

    public static Builder builder(String type) {
        return new Builder(type);
    }

    public Builder toBuilder() {
        return new Builder(type)
                .eventId(eventId)
                .aggregate(aggregateType, aggregateId)
                .bizKey(bizKey)
                .schemaVersion(schemaVersion)
                .occurredAt(occurredAt)
                .traceId(traceId)
                .headers(headers)
                .payload(payload)
                .destination(destination);
    }

    /** Collects an event's parts. Only the type has no default. */
    public static final class Builder {

        private final String type;
        private @Nullable String eventId;
        private @Nullable String aggregateType;
        private @Nullable String aggregateId;
        private @Nullable String bizKey;
        private int schemaVersion = 1;
        private @Nullable Instant occurredAt;
        private @Nullable String traceId;
        private final Map<String, String> headers = new TreeMap<>();
        private String payload = "{}";
        private @Nullable Destination destination;

        private Builder(String type) {
            this.type = type;
        }

        public Builder eventId(String eventId) {
            this.eventId = eventId;
            return this;
        }

        public Builder aggregate(@Nullable String aggregateType, @Nullable String aggregateId) {
            this.aggregateType = aggregateType;
            this.aggregateId = aggregateId;
            return this;
        }

        public Builder bizKey(@Nullable String bizKey) {
            this.bizKey = bizKey;
            return this;
        }

        public Builder schemaVersion(int schemaVersion) {
            this.schemaVersion = schemaVersion;
            return this;
        }

        public Builder occurredAt(Instant occurredAt) {
            this.occurredAt = occurredAt;
            return this;
        }

        public Builder traceId(@Nullable String traceId) {
            this.traceId = traceId;
            return this;
        }

        public Builder header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        public Builder headers(Map<String, String> more) {
            headers.putAll(more);
            return this;
        }

        public Builder withoutHeader(String name) {
            headers.remove(name);
            return this;
        }

        /** One JSON value as text; checked when the event is published. */
        public Builder payload(String json) {
            this.payload = json;
            return this;
        }

        public Builder destination(@Nullable Destination destination) {
            this.destination = destination;
            return this;
        }

        public Event build() {
            return new Event(
                    eventId == null ? EventIds.next() : eventId,
                    type,
                    aggregateType,
                    aggregateId,
                    bizKey,
                    schemaVersion,
                    occurredAt == null ? Instant.now() : occurredAt,
                    traceId,
                    headers,
                    payload,
                    destination);
        }
    }
}
