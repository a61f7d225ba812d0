package dev.waybill.memory;

import dev.waybill.memory.JournalRecord.Consumed;
import dev.waybill.memory.JournalRecord.Gone;
import dev.waybill.memory.JournalRecord.Holder;
import dev.waybill.memory.JournalRecord.Progress;
import dev.waybill.memory.JournalRecord.Put;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a group has still to receive of a topic, and what it could not. Guarded by the topic, whose news wakes the
 * members up.
 */
final class MemoryGroup implements MessageSource {

    /** A manual clock tells nobody when it moves, so it is looked at while a message waits for it. */
    private static final long LOOK_MILLIS = 2;

    private final Holder holder;
    private final MemoryBroker broker;
    private final MemoryTopic topic;
    private final MemoryTopic.Place place = new MemoryTopic.Place();
    private final TreeSet<Long> consumedAhead = new TreeSet<>();
    private final Deque<QueuedMessage> back = new ArrayDeque<>();
    private final PriorityQueue<QueuedMessage> waiting =
            new PriorityQueue<>((one, other) -> one.due().compareTo(other.due()));
    private final Map<Long, QueuedMessage> inHand = new LinkedHashMap<>();
    private final Deque<QueuedMessage> letters = new ArrayDeque<>();
    private final Map<Long, QueuedMessage> lettersInHand = new LinkedHashMap<>();

    MemoryGroup(Holder holder, MemoryBroker broker, MemoryTopic topic) {
        this.holder = holder;
        this.broker = broker;
        this.topic = topic;
    }

    @Override
    public List<QueuedMessage> take(int most, Predicate<StoredMessage> wanted, long patienceMillis)
            throws InterruptedException {
        synchronized (topic) {
            List<QueuedMessage> taken = new ArrayList<>(most);
            fill(taken, most, wanted);
            if (taken.isEmpty()) {
                topic.wait(waiting.isEmpty() && broker.delivers() ? patienceMillis : LOOK_MILLIS);
                fill(taken, most, wanted);
            }
            return taken;
        }
    }

    private void fill(List<QueuedMessage> taken, int most, Predicate<StoredMessage> wanted)
            throws InterruptedException {
        Instant now = broker.clock().instant();
        while (broker.delivers() && taken.size() < most) {
            QueuedMessage next = next(now, wanted);
            if (next == null) {
                return;
            }
            inHand.put(next.number(), next);
            taken.add(next);
        }
    }

    private @Nullable QueuedMessage next(Instant now, Predicate<StoredMessage> wanted) throws InterruptedException {
        QueuedMessage first = waiting.peek();
        if (first != null && !now.isBefore(first.due())) {
            return waiting.poll();
        }
        if (!back.isEmpty()) {
            return back.poll();
        }
        StoredMessage fresh = topic.next(place, 0);
        while (fresh != null && (consumedAhead.remove(place.passed()) || !wanted.test(fresh))) {
            fresh = topic.next(place, 0);
        }
        return fresh == null ? null : QueuedMessage.of(fresh, broker.nextNumber(), place.passed());
    }

    @Override
    public void giveBack(List<QueuedMessage> messages) {
        synchronized (topic) {
            for (int i = messages.size() - 1; i >= 0; i--) {
                if (inHand.remove(messages.get(i).number()) != null) {
                    back.addFirst(messages.get(i));
                }
            }
            topic.notifyAll();
        }
    }

    @Override
    public void forget(QueuedMessage message) {
        settle(message, List.of(), () -> {});
    }

    @Override
    public void deliverLater(QueuedMessage message) {
        QueuedMessage copy = message.detached();
        settle(message, List.of(new Put(holder, copy, false)), () -> waiting.add(copy));
    }

    @Override
    public void deadLetter(QueuedMessage message) {
        QueuedMessage copy = message.detached();
        settle(message, List.of(new Put(holder, copy, true)), () -> letters.add(copy));
    }

    /** A message that is in nobody's hands was given back, or comes from before a restart: another delivery settles it. */
    private void settle(QueuedMessage message, List<Put> kept, Runnable keep) {
        broker.changes().change(() -> {
            synchronized (topic) {
                if (inHand.containsKey(message.number())) {
                    List<JournalRecord> records = new ArrayList<>(kept);
                    if (message.position() != QueuedMessage.NO_POSITION) {
                        records.add(new Consumed(holder.source(), group(), message.position()));
                    } else if (kept.isEmpty()) {
                        records.add(new Gone(holder, message.number()));
                    }
                    broker.changes().write(records);
                    inHand.remove(message.number());
                    keep.run();
                    topic.notifyAll();
                }
            }
        });
    }

    @Override
    public void replay(QueuedMessage message) {
        broker.changes().change(() -> {
            synchronized (topic) {
                broker.changes().write(List.of(new Put(holder, message, false)));
                waiting.add(message);
                topic.notifyAll();
            }
        });
    }

    @Override
    public void giveLetter(Consumer<QueuedMessage> sink, long patienceMillis) throws InterruptedException {
        QueuedMessage letter = takeLetter(patienceMillis);
        if (letter == null) {
            return;
        }
        try {
            sink.accept(letter);
            forgetLetter(letter);
        } catch (RuntimeException | Error e) {
            takeLetterBack(letter);
            throw e;
        }
    }

    private @Nullable QueuedMessage takeLetter(long patienceMillis) throws InterruptedException {
        synchronized (topic) {
            if (letters.isEmpty() || !broker.delivers()) {
                topic.wait(patienceMillis);
            }
            QueuedMessage letter = broker.delivers() ? letters.poll() : null;
            if (letter != null) {
                lettersInHand.put(letter.number(), letter);
            }
            return letter;
        }
    }

    private void forgetLetter(QueuedMessage letter) {
        broker.changes().change(() -> {
            synchronized (topic) {
                if (lettersInHand.containsKey(letter.number())) {
                    broker.changes().write(List.of(new Gone(holder, letter.number())));
                    lettersInHand.remove(letter.number());
                }
            }
        });
    }

    private void takeLetterBack(QueuedMessage letter) {
        synchronized (topic) {
            if (lettersInHand.remove(letter.number()) != null) {
                letters.add(letter);
            }
            topic.notifyAll();
        }
    }

    // What the file keeps.

    /** The first place of the topic that the group may need; the caller holds the topic. */
    long needsFrom() {
        return open().findFirst().orElse(place.next());
    }

    void describe(Consumer<JournalRecord> records) {
        synchronized (topic) {
            records.accept(new Progress(holder.source(), group(), place.next(), open().toList()));
            consumedAhead.forEach(ahead -> records.accept(new Consumed(holder.source(), group(), ahead)));
            Stream.of(inHand.values(), back, waiting)
                    .flatMap(Collection::stream)
                    .filter(copy -> copy.position() == QueuedMessage.NO_POSITION)
                    .forEach(copy -> records.accept(new Put(holder, copy, false)));
            Stream.of(lettersInHand.values(), letters)
                    .flatMap(Collection::stream)
                    .forEach(letter -> records.accept(new Put(holder, letter, true)));
        }
    }

    private Stream<Long> open() {
        return Stream.of(inHand.values(), back)
                .flatMap(Collection::stream)
                .map(QueuedMessage::position)
                .filter(position -> position != QueuedMessage.NO_POSITION)
                .sorted();
    }

    void recover(RecoveredMessages.Group progress, Collection<Put> copies) {
        synchronized (topic) {
            List.of(back, waiting, letters).forEach(Collection::clear);
            List.of(inHand, lettersInHand).forEach(Map::clear);
            consumedAhead.clear();
            consumedAhead.addAll(progress.ahead);
            place.moveTo(progress.next);
            for (long position : progress.open) {
                StoredMessage stored = topic.at(position);
                if (stored != null) {
                    back.add(QueuedMessage.of(stored, broker.nextNumber(), position));
                }
            }
            copies.forEach(put -> (put.letter() ? letters : waiting).add(put.copy()));
            topic.notifyAll();
        }
    }

    private String group() {
        return Objects.requireNonNull(holder.group());
    }
}
