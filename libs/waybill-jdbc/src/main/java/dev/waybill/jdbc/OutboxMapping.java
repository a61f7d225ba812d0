package dev.waybill.jdbc;

import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * How an outbox table is laid out: its name, its columns, the words of its status column, how it stores times. Start from
 * one of {@link OutboxLayouts} and rename what differs.
 */
public final class OutboxMapping extends SqlMapping<OutboxColumn, OutboxState> {

    /** What proves that a relay still holds a row. */
    enum Fence {
        TOKEN,
        VERSION,
        DUE
    }

    private static final Set<OutboxColumn> REQUIRED =
            EnumSet.of(OutboxColumn.PAYLOAD, OutboxColumn.STATUS, OutboxColumn.ATTEMPTS, OutboxColumn.DUE);
    private static final Set<OutboxState> REQUIRED_STATES =
            EnumSet.of(OutboxState.NEW, OutboxState.RETRY, OutboxState.SENT, OutboxState.DEAD);

    private final Set<String> alsoClaimable;
    private final boolean parksSettled;
    private final boolean keyIsEventId;
    private final UnaryOperator<String> typeOfTag;

    private OutboxMapping(Builder from) {
        super(from);
        this.alsoClaimable = new TreeSet<>(from.alsoClaimable);
        this.parksSettled = from.parksSettled;
        this.keyIsEventId = from.keyIsEventId;
        this.typeOfTag = from.typeOfTag;
    }

    /** Starts from nothing. The layout's name chooses the shipped DDL and appears in messages. */
    public static Builder builder(String layout) {
        return new Builder(layout);
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    @Override
    OutboxColumn status() {
        return OutboxColumn.STATUS;
    }

    /** Words of rows that a relay may take once they are due. */
    Set<String> claimable() {
        Set<String> claimable = words(EnumSet.of(OutboxState.NEW, OutboxState.CLAIMED, OutboxState.RETRY));
        claimable.addAll(alsoClaimable);
        return claimable;
    }

    Fence fence() {
        return has(OutboxColumn.TOKEN) ? Fence.TOKEN : has(OutboxColumn.VERSION) ? Fence.VERSION : Fence.DUE;
    }

    OutboxColumn key() {
        return has(OutboxColumn.KEY) ? OutboxColumn.KEY : OutboxColumn.EVENT_ID;
    }

    boolean keyIsEventId() {
        return keyIsEventId;
    }

    boolean parksSettled() {
        return parksSettled;
    }

    String typeOf(String tag) {
        return typeOfTag.apply(tag);
    }

    /** Collects a mapping. */
    public static final class Builder extends SqlMapping.Builder<OutboxColumn, OutboxState, Builder> {

        private final Set<String> alsoClaimable = new TreeSet<>();
        private boolean parksSettled;
        private boolean keyIsEventId;
        private UnaryOperator<String> typeOfTag = tag -> tag;

        private Builder(String layout) {
            super(layout, OutboxColumn.class, OutboxState.class);
        }

        private Builder(OutboxMapping from) {
            super(from);
            this.alsoClaimable.addAll(from.alsoClaimable);
            this.parksSettled = from.parksSettled;
            this.keyIsEventId = from.keyIsEventId;
            this.typeOfTag = from.typeOfTag;
        }

        @Override
        Builder self() {
            return this;
        }

        /** The table has no word for this state. */
        public Builder without(OutboxState state) {
            return withoutWord(state);
        }

        /** Another status word whose rows are waiting to be sent, such as one that older writers use. */
        public Builder alsoClaimable(String word) {
            alsoClaimable.add(SqlNames.word("claimable word", word));
            return this;
        }

        /** Settled rows get a due time that never comes, so that one index on the due time serves every claim. */
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
            REQUIRED.forEach(this::needColumn);
            REQUIRED_STATES.forEach(this::needWord);
            boolean ownId = has(OutboxColumn.EVENT_ID);
            need(ownId || has(OutboxColumn.KEY), "a column for EVENT_ID or KEY");
            need(ownId || keyIsEventId || has(OutboxColumn.HEADERS), "EVENT_ID, HEADERS or keyIsEventId");
            need(has(OutboxColumn.TYPE) || has(OutboxColumn.TAG), "a column for TYPE or TAG");
            return new OutboxMapping(this);
        }
    }
}
