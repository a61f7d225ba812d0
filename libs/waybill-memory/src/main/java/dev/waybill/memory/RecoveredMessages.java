package dev.waybill.memory;

import dev.waybill.memory.JournalRecord.Consumed;
import dev.waybill.memory.JournalRecord.Gone;
import dev.waybill.memory.JournalRecord.Holder;
import dev.waybill.memory.JournalRecord.LastNumber;
import dev.waybill.memory.JournalRecord.Progress;
import dev.waybill.memory.JournalRecord.Put;
import dev.waybill.memory.JournalRecord.Sent;
import dev.waybill.memory.JournalRecord.TopicStart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What a journal's records add up to. */
final class RecoveredMessages {

    /** A topic's messages, and the place of the first of them. */
    static final class Topic {
        long first;
        final List<StoredMessage> messages = new ArrayList<>();
    }

    /** A group's progress; {@code ahead} are places at or after {@code next} that it needs no longer. */
    static final class Group {
        long next;
        final TreeSet<Long> open = new TreeSet<>();
        final TreeSet<Long> ahead = new TreeSet<>();
    }

    private long lastNumber;
    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private final Map<Holder, Group> groups = new LinkedHashMap<>();
    private final Map<Holder, Map<Long, Put>> copies = new LinkedHashMap<>();

    void add(JournalRecord record) {
        if (record instanceof LastNumber last) {
            count(last.number());
        } else if (record instanceof TopicStart start) {
            topic(start.topic()).first = start.first();
        } else if (record instanceof Sent sent) {
            topic(sent.topic()).messages.add(sent.message());
            count(MemoryBroker.numberOf(sent.message().brokerId()));
        } else if (record instanceof Progress progress) {
            Group group = group(progress.topic(), progress.group());
            group.next = progress.next();
            group.open.addAll(progress.open());
        } else if (record instanceof Consumed consumed) {
            Group group = group(consumed.topic(), consumed.group());
            if (consumed.position() < group.next) {
                group.open.remove(consumed.position());
            } else {
                group.ahead.add(consumed.position());
            }
        } else if (record instanceof Put put) {
            copiesOf(put.holder()).put(put.copy().number(), put);
            count(put.copy().number());
            count(MemoryBroker.numberOf(put.copy().key()));
        } else if (record instanceof Gone gone) {
            copiesOf(gone.holder()).remove(gone.copy());
        }
    }

    private void count(long number) {
        lastNumber = Math.max(lastNumber, number);
    }

    private Topic topic(String name) {
        return topics.computeIfAbsent(name, key -> new Topic());
    }

    private Group group(String topic, String name) {
        return groups.computeIfAbsent(new Holder(topic, name), key -> new Group());
    }

    private Map<Long, Put> copiesOf(Holder holder) {
        return copies.computeIfAbsent(holder, key -> new LinkedHashMap<>());
    }

    long lastNumber() {
        return lastNumber;
    }

    Map<String, Topic> topics() {
        return topics;
    }

    /** Every group that ever consumed, failed or was sent a replay. */
    Map<Holder, Group> groups() {
        copies.keySet().stream()
                .filter(holder -> holder.group() != null)
                .forEach(holder -> groups.computeIfAbsent(holder, key -> new Group()));
        return groups;
    }

    /** The copies of a holder, in the order in which they came. They are handed over: the next question has no answer. */
    Collection<Put> takeCopies(Holder holder) {
        Map<Long, Put> found = copies.remove(holder);
        return found == null ? List.of() : found.values();
    }

    /** The copies that nobody has taken over. */
    List<Put> left() {
        return copies.values().stream().flatMap(held -> held.values().stream()).toList();
    }
}
