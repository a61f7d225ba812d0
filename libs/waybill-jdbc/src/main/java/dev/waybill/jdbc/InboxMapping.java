package dev.waybill.jdbc;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a consume log is laid out: its name, its columns, the words of its status column, how it keeps time. Start from one
 * of {@link InboxLayouts} and rename what differs. Names and words are checked here, because statements are built of them.
 */
public final class InboxMapping {

    private static final Set<InboxColumn> OF_STATES =
            EnumSet.of(InboxColumn.ATTEMPTS, InboxColumn.ERROR, InboxColumn.COST_MS, InboxColumn.DONE_AT);

    private final Builder parts;

    private InboxMapping(Builder parts) {
        this.parts = parts;
    }

    /** Starts from nothing. The layout's name chooses the shipped DDL and appears in messages. */
    public static Builder builder(String layout) {
        return new Builder(layout);
    }

    public Builder toBuilder() {
        return new Builder(parts);
    }

    public String layout() {
        return parts.layout;
    }

    /** The table's name, with its schema where one was given. */
    public String table() {
        return parts.table;
    }

    public Map<InboxColumn, String> columns() {
        return Collections.unmodifiableMap(parts.columns);
    }

    public @Nullable String column(InboxColumn column) {
        return parts.columns.get(column);
    }

    public @Nullable String word(InboxState state) {
        return parts.words.get(state);
    }

    boolean has(InboxColumn column) {
        return parts.columns.containsKey(column);
    }

    /** Whether each event has one consumer, so that the event's id alone is unique. */
    public boolean oneConsumerPerEvent() {
        return parts.oneConsumerPerEvent;
    }

    /** The columns that are unique together. */
    Set<InboxColumn> key() {
        return oneConsumerPerEvent()
                ? EnumSet.of(InboxColumn.EVENT_ID)
                : EnumSet.of(InboxColumn.EVENT_ID, InboxColumn.GROUP);
    }

    /** Words of rows that are not admitted again. */
    Set<String> doneWords() {
        return wordsOf(InboxState.SUCCESS, InboxState.IGNORED);
    }

    private Set<String> wordsOf(InboxState first, InboxState second) {
        Set<String> words = new LinkedHashSet<>();
        for (InboxState state : EnumSet.of(first, second)) {
            String word = word(state);
            if (word != null) {
                words.add(word);
            }
        }
        return words;
    }

    /** The time by which done rows grow old. */
    InboxColumn age() {
        return has(InboxColumn.DONE_AT)
                ? InboxColumn.DONE_AT
                : has(InboxColumn.UPDATED_AT) ? InboxColumn.UPDATED_AT : InboxColumn.CREATED_AT;
    }

    OutboxMapping.ClockFace clockFace() {
        return parts.clockFace;
    }

    boolean wholeSeconds() {
        return parts.wholeSeconds;
    }

    /** Collects a mapping. */
    public static final class Builder {

        private final String layout;
        private String table;
        private final Map<InboxColumn, String> columns = new EnumMap<>(InboxColumn.class);
        private final Map<InboxState, String> words = new EnumMap<>(InboxState.class);
        private OutboxMapping.ClockFace clockFace = OutboxMapping.ClockFace.SESSION;
        private boolean wholeSeconds = true;
        private boolean oneConsumerPerEvent;

        private Builder(String layout) {
            this.layout = SqlNames.name("layout", layout);
            this.table = layout;
        }

        private Builder(Builder from) {
            this.layout = from.layout;
            this.table = from.table;
            this.columns.putAll(from.columns);
            this.words.putAll(from.words);
            this.clockFace = from.clockFace;
            this.wholeSeconds = from.wholeSeconds;
            this.oneConsumerPerEvent = from.oneConsumerPerEvent;
        }

        /** The table's name, or {@code schema.name}. */
        public Builder table(String table) {
            this.table = SqlNames.table(table);
            return this;
        }

        public Builder column(InboxColumn column, String name) {
            columns.put(column, SqlNames.name("column " + column, name));
            return this;
        }

        /** The table has no such column. */
        public Builder without(InboxColumn column) {
            columns.remove(column);
            return this;
        }

        /** The status word (or number) for a state. */
        public Builder word(InboxState state, String word) {
            words.put(state, SqlNames.word("word for " + state, word));
            return this;
        }

        public Builder clockFace(OutboxMapping.ClockFace clockFace) {
            this.clockFace = clockFace;
            return this;
        }

        /** Times are kept in whole seconds (the default) or to the millisecond. */
        public Builder wholeSeconds(boolean wholeSeconds) {
            this.wholeSeconds = wholeSeconds;
            return this;
        }

        /** The event's id alone is unique: each event has one consumer, and a second group is refused. */
        public Builder oneConsumerPerEvent(boolean oneConsumerPerEvent) {
            this.oneConsumerPerEvent = oneConsumerPerEvent;
            return this;
        }

        /**
         * Checks and makes the mapping.
         *
         * @throws IllegalArgumentException naming what is missing
         */
        public InboxMapping build() {
            need(columns.containsKey(InboxColumn.EVENT_ID), "a column for EVENT_ID");
            need(
                    oneConsumerPerEvent || columns.containsKey(InboxColumn.GROUP),
                    "a column for GROUP, or oneConsumerPerEvent");
            InboxMapping mapping = new InboxMapping(new Builder(this));
            need(mapping.has(mapping.age()), "a column for DONE_AT, UPDATED_AT or CREATED_AT, to sweep by");
            if (columns.containsKey(InboxColumn.STATUS)) {
                for (InboxState state : InboxState.values()) {
                    need(words.containsKey(state), "a status word for " + state);
                }
                need(
                        Collections.disjoint(
                                mapping.doneWords(), mapping.wordsOf(InboxState.PROCESSING, InboxState.FAILED)),
                        "words that tell what is done (SUCCESS, IGNORED) from what is not");
            } else {
                need(
                        Collections.disjoint(columns.keySet(), OF_STATES),
                        "a column for STATUS: without one a row means done, and " + OF_STATES + " say nothing");
            }
            return mapping;
        }

        private void need(boolean present, String what) {
            if (!present) {
                throw new IllegalArgumentException("the mapping of table " + table + " needs " + what);
            }
        }
    }
}
