package dev.waybill.jdbc;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How an outbox table is laid out: its name, its columns, the words of its status column, how it keeps time. Start from
 * one of {@link OutboxLayouts} and rename what differs. Names and words are checked here, because statements are built of them.
 */
public final class OutboxMapping {

    /** Whose clock face a time column shows. */
    public enum ClockFace {
        /** The session's time zone, as {@code NOW()} gives it. */
        SESSION,
        /** UTC. Knows no summer time, so that no lease grows by an hour in autumn. */
        UTC
    }

    /** What proves that a relay still holds a row. */
    enum Fence {
        TOKEN,
        VERSION,
        DUE
    }

    private static final Set<OutboxColumn> REQUIRED =
            EnumSet.of(OutboxColumn.PAYLOAD, OutboxColumn.STATUS, OutboxColumn.ATTEMPTS, OutboxColumn.DUE);
    private static final Set<OutboxState> SPOKEN =
            EnumSet.of(OutboxState.NEW, OutboxState.RETRY, OutboxState.SENT, OutboxState.DEAD);

    private final Builder parts;

    private OutboxMapping(Builder parts) {
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

    public Map<OutboxColumn, String> columns() {
        return Collections.unmodifiableMap(parts.columns);
    }

    public @Nullable String column(OutboxColumn column) {
        return parts.columns.get(column);
    }

    public @Nullable String word(OutboxState state) {
        return parts.words.get(state);
    }

    boolean has(OutboxColumn column) {
        return parts.columns.containsKey(column);
    }

    /** Words of rows that a relay may take once they are due. */
    Set<String> claimable() {
        Set<String> words = new LinkedHashSet<>();
        for (OutboxState state : EnumSet.of(OutboxState.NEW, OutboxState.CLAIMED, OutboxState.RETRY)) {
            String word = parts.words.get(state);
            if (word != null) {
                words.add(word);
            }
        }
        words.addAll(parts.alsoClaimable);
        return words;
    }

    Fence fence() {
        return has(OutboxColumn.TOKEN) ? Fence.TOKEN : has(OutboxColumn.VERSION) ? Fence.VERSION : Fence.DUE;
    }

    OutboxColumn key() {
        return has(OutboxColumn.KEY) ? OutboxColumn.KEY : OutboxColumn.EVENT_ID;
    }

    boolean keyIsEventId() {
        return parts.keyIsEventId;
    }

    ClockFace clockFace() {
        return parts.clockFace;
    }

    boolean wholeSeconds() {
        return parts.wholeSeconds;
    }

    boolean parksSettled() {
        return parts.parksSettled;
    }

    String typeOf(String tag) {
        return parts.typeOfTag.apply(tag);
    }

    /** Collects a mapping. */
    public static final class Builder {

        private final String layout;
        private String table;
        private final Map<OutboxColumn, String> columns = new EnumMap<>(OutboxColumn.class);
        private final Map<OutboxState, String> words = new EnumMap<>(OutboxState.class);
        private final Set<String> alsoClaimable = new TreeSet<>();
        private ClockFace clockFace = ClockFace.SESSION;
        private boolean wholeSeconds = true;
        private boolean parksSettled;
        private boolean keyIsEventId;
        private UnaryOperator<String> typeOfTag = tag -> tag;

        private Builder(String layout) {
            this.layout = SqlNames.name("layout", layout);
            this.table = layout;
        }

        private Builder(Builder from) {
            this.layout = from.layout;
            this.table = from.table;
            this.columns.putAll(from.columns);
            this.words.putAll(from.words);
            this.alsoClaimable.addAll(from.alsoClaimable);
            this.clockFace = from.clockFace;
            this.wholeSeconds = from.wholeSeconds;
            this.parksSettled = from.parksSettled;
            this.keyIsEventId = from.keyIsEventId;
            this.typeOfTag = from.typeOfTag;
        }

        /** The table's name, or {@code schema.name}. */
        public Builder table(String table) {
            this.table = SqlNames.table(table);
            return this;
        }

        public Builder column(OutboxColumn column, String name) {
            columns.put(column, SqlNames.name("column " + column, name));
            return this;
        }

        /** The table has no such column. */
        public Builder without(OutboxColumn column) {
            columns.remove(column);
            return this;
        }

        /** The status word (or number) for a state. */
        public Builder word(OutboxState state, String word) {
            words.put(state, SqlNames.word("word for " + state, word));
            return this;
        }

        public Builder without(OutboxState state) {
            words.remove(state);
            return this;
        }

        /** Another status word whose rows are waiting to be sent, such as one that older writers use. */
        public Builder alsoClaimable(String word) {
            alsoClaimable.add(SqlNames.word("claimable word", word));
            return this;
        }

        public Builder clockFace(ClockFace clockFace) {
            this.clockFace = clockFace;
            return this;
        }

        /** Times are kept in whole seconds (the default) or to the millisecond. Due times are rounded up. */
        public Builder wholeSeconds(boolean wholeSeconds) {
            this.wholeSeconds = wholeSeconds;
            return this;
        }

        /** Settled rows get a due time at the end of days, so that one index on the due time serves every claim. */
        public Builder parksSettled(boolean parksSettled) {
            this.parksSettled = parksSettled;
            return this;
        }

        /** The database's own key, as decimal text, is the event's id. */
        public Builder keyIsEventId(boolean keyIsEventId) {
            this.keyIsEventId = keyIsEventId;
            return this;
        }

        /** What an event's type is when only its tag is stored. */
        public Builder typeOfTag(UnaryOperator<String> typeOfTag) {
            this.typeOfTag = typeOfTag;
            return this;
        }

        /**
         * Checks and makes the mapping.
         *
         * @throws IllegalArgumentException naming what is missing
         */
        public OutboxMapping build() {
            for (OutboxColumn column : REQUIRED) {
                need(columns.containsKey(column), "a column for " + column);
            }
            for (OutboxState state : SPOKEN) {
                need(words.containsKey(state), "a status word for " + state);
            }
            boolean ownId = columns.containsKey(OutboxColumn.EVENT_ID);
            need(ownId || columns.containsKey(OutboxColumn.KEY), "a column for EVENT_ID or KEY");
            need(
                    ownId || keyIsEventId || columns.containsKey(OutboxColumn.HEADERS),
                    "EVENT_ID, HEADERS or keyIsEventId");
            need(
                    columns.containsKey(OutboxColumn.TYPE) || columns.containsKey(OutboxColumn.TAG),
                    "a column for TYPE or TAG");
            return new OutboxMapping(new Builder(this));
        }

        private void need(boolean present, String what) {
            if (!present) {
                throw new IllegalArgumentException("the mapping of table " + table + " needs " + what);
            }
        }
    }
}
