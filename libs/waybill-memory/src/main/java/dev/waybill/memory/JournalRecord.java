package dev.waybill.memory;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link MessageJournal} keeps: each change that must survive the process. */
sealed interface JournalRecord {

    /**
     * Who holds copies of messages: a declared queue, or a group of a topic.
     *
     * @param source the queue's or the topic's name
     * @param group null for a queue
     */
    record Holder(String source, @Nullable String group) {

        static Holder queue(String name) {
            return new Holder(name, null);
        }
    }

    /** The highest number that was given to a message or a copy. */
    record LastNumber(long number) implements JournalRecord {}

    /** The place of the next {@link Sent} of a topic, counted from the topic's beginning. */
    record TopicStart(String topic, long first) implements JournalRecord {}

    /** A topic got a message. */
    record Sent(String topic, StoredMessage message) implements JournalRecord {}

    /**
     * How far a group has read.
     *
     * @param next the place that nobody of the group has seen
     * @param open places before it that are not consumed
     */
    record Progress(String topic, String group, long next, List<Long> open) implements JournalRecord {}

    /** A group needs the message at a place of its topic no longer. */
    record Consumed(String topic, String group, long position) implements JournalRecord {}

    /** A holder has a copy in this state; the same copy again replaces what was known of it. */
    record Put(Holder holder, QueuedMessage copy, boolean letter) implements JournalRecord {}

    /** A holder has a copy no longer. */
    record Gone(Holder holder, long copy) implements JournalRecord {}
}
