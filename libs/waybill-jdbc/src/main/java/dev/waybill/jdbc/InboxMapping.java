package dev.waybill.jdbc;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * How a consume log is laid out: its name, its columns, the words of its status column, how it stores times. Start from one
 * of {@link InboxLayouts} and rename what differs.
 */
public final class InboxMapping extends SqlMapping<InboxColumn, InboxState> {

    private static final Set<InboxColumn> OF_STATES =
            EnumSet.of(InboxColumn.ATTEMPTS, InboxColumn.ERROR, InboxColumn.COST_MS, InboxColumn.DONE_AT);

    private final boolean oneConsumerPerEvent;

    private InboxMapping(Builder from) {
        super(from);
        this.oneConsumerPerEvent = from.oneConsumerPerEvent;
    }

    /** Starts from nothing. The layout's name chooses the shipped DDL and appears in messages. */
    public static Builder builder(String layout) {
        return new Builder(layout);
    }

    public Builder toBuilder() {
        return new Builder(this);
    }

    @Override
    InboxColumn status() {
        return InboxColumn.STATUS;
    }

    /** Whether each event has one consumer, so that the event's id alone is unique. */
    public boolean oneConsumerPerEvent() {
        return oneConsumerPerEvent;
    }

    /** The columns that are unique together. */
    Set<InboxColumn> key() {
        return oneConsumerPerEvent
                ? EnumSet.of(InboxColumn.EVENT_ID)
                : EnumSet.of(InboxColumn.EVENT_ID, InboxColumn.GROUP);
    }

    /** Words of rows that are not admitted again. */
    Set<String> doneWords() {
        return words(EnumSet.of(InboxState.SUCCESS, InboxState.IGNORED));
    }

    /** The time by which done rows grow old. */
    InboxColumn age() {
        return has(InboxColumn.DONE_AT)
                ? InboxColumn.DONE_AT
                : has(InboxColumn.UPDATED_AT) ? InboxColumn.UPDATED_AT : InboxColumn.CREATED_AT;
    }

    /** The time by which failed rows grow old; one that only done rows have lets none of them grow old. */
    InboxColumn failedAt() {
        return has(InboxColumn.UPDATED_AT)
                ? InboxColumn.UPDATED_AT
                : has(InboxColumn.CREATED_AT) ? InboxColumn.CREATED_AT : InboxColumn.DONE_AT;
    }

    /** Collects a mapping. */
    public static final class Builder extends SqlMapping.Builder<InboxColumn, InboxState, Builder> {

        private boolean oneConsumerPerEvent;

        private Builder(String layout) {
            super(layout, InboxColumn.class, InboxState.class);
        }

        private Builder(InboxMapping from) {
            super(from);
            this.oneConsumerPerEvent = from.oneConsumerPerEvent;
        }

        @Override
        Builder self() {
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
            needColumn(InboxColumn.EVENT_ID);
            need(oneConsumerPerEvent || has(InboxColumn.GROUP), "a column for GROUP, or oneConsumerPerEvent");
            InboxMapping mapping = new InboxMapping(this);
            need(mapping.has(mapping.age()), "a column for DONE_AT, UPDATED_AT or CREATED_AT, to sweep by");
            if (has(InboxColumn.STATUS)) {
                EnumSet.allOf(InboxState.class).forEach(this::needWord);
                need(
                        Collections.disjoint(
                                mapping.doneWords(),
                                mapping.words(EnumSet.of(InboxState.PROCESSING, InboxState.FAILED))),
                        "words that tell what is done (SUCCESS, IGNORED) from what is not");
            } else {
                need(
                        !hasAny(OF_STATES),
                        "a column for STATUS: without one a row means done, and " + OF_STATES + " say nothing");
            }
            return mapping;
        }
    }
}
