package dev.waybill.store;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which events of an outbox a person looks for; null, and no state, mean any. All that is given must hold.
 *
 * @param key the business key; where the table has none, the aggregate's id
 * @param from written at this moment or later
 * @param to written before this moment
 */
public record EventFilter(
        @Nullable String eventId,
        @Nullable String key,
        @Nullable String traceId,
        @Nullable String type,
        @Nullable String topic,
        @Nullable String tag,
        Set<EventState> states,
        @Nullable Instant from,
        @Nullable Instant to) {

    /** No id, key or name that is stored anywhere is longer. */
    public static final int LONGEST_TEXT = 255;

    /** What a filter can ask for. */
    public enum Field {
        EVENT_ID,
        KEY,
        TRACE_ID,
        TYPE,
        TOPIC,
        TAG,
        STATE,
        TIME
    }

    /**
     * Checks the texts.
     *
     * @throws IllegalArgumentException for a text that no column holds: empty, too long, or with control characters
     */
    public EventFilter {
        check(Field.EVENT_ID, eventId);
        check(Field.KEY, key);
        check(Field.TRACE_ID, traceId);
        check(Field.TYPE, type);
        check(Field.TOPIC, topic);
        check(Field.TAG, tag);
        states = Set.copyOf(states);
    }

    public static EventFilter any() {
        return new EventFilter(null, null, null, null, null, null, Set.of(), null, null);
    }

    public EventFilter withEventId(String eventId) {
        return new EventFilter(eventId, key, traceId, type, topic, tag, states, from, to);
    }

    public EventFilter withKey(String key) {
        return new EventFilter(eventId, key, traceId, type, topic, tag, states, from, to);
    }

    public EventFilter withTraceId(String traceId) {
        return new EventFilter(eventId, key, traceId, type, topic, tag, states, from, to);
    }

    public EventFilter withType(String type) {
        return new EventFilter(eventId, key, traceId, type, topic, tag, states, from, to);
    }

    public EventFilter withTopic(String topic) {
        return new EventFilter(eventId, key, traceId, type, topic, tag, states, from, to);
    }

    public EventFilter withTag(String tag) {
        return new EventFilter(eventId, key, traceId, type, topic, tag, states, from, to);
    }

    public EventFilter withStates(Set<EventState> states) {
        return new EventFilter(eventId, key, traceId, type, topic, tag, states, from, to);
    }

    public EventFilter between(@Nullable Instant from, @Nullable Instant to) {
        return new EventFilter(eventId, key, traceId, type, topic, tag, states, from, to);
    }

    /** What this filter asks for. */
    public Set<Field> fields() {
        Set<Field> fields = EnumSet.noneOf(Field.class);
        add(fields, Field.EVENT_ID, eventId);
        add(fields, Field.KEY, key);
        add(fields, Field.TRACE_ID, traceId);
        add(fields, Field.TYPE, type);
        add(fields, Field.TOPIC, topic);
        add(fields, Field.TAG, tag);
        add(fields, Field.STATE, states.isEmpty() ? null : states);
        add(fields, Field.TIME, from == null ? to : from);
        return fields;
    }

    private static void add(Set<Field> fields, Field field, @Nullable Object value) {
        if (value != null) {
            fields.add(field);
        }
    }

    private static void check(Field field, @Nullable String text) {
        if (text == null) {
            return;
        }
        boolean odd = text.codePoints()
                .anyMatch(point -> Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE);
        if (text.isBlank() || text.length() > LONGEST_TEXT || odd) {
            throw new IllegalArgumentException(
                    field + " is a text of 1 to " + LONGEST_TEXT + " characters without control characters");
        }
    }
}
