package dev.waybill.memory;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a group has still to receive of a topic, and what it could not. Guarded by the topic, whose news wakes the
 * members up.
 */
final class MemoryGroup implements MessageSource {

    /** A manual clock tells nobody when it moves, so it is looked at while a message waits for it. */
    private static final long LOOK_MILLIS = 2;

    private final MemoryBroker broker;
    private final MemoryTopic topic;
    private final MemoryTopic.Place place = new MemoryTopic.Place();
    private final Deque<QueuedMessage> back = new ArrayDeque<>();
    private final PriorityQueue<QueuedMessage> waiting =
            new PriorityQueue<>((one, other) -> one.due().compareTo(other.due()));
    private final Deque<QueuedMessage> letters = new ArrayDeque<>();

    MemoryGroup(MemoryBroker broker, MemoryTopic topic) {
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
        while (fresh != null && !wanted.test(fresh)) {
            fresh = topic.next(place, 0);
        }
        return fresh == null ? null : QueuedMessage.of(fresh);
    }

    @Override
    public void giveBack(List<QueuedMessage> messages) {
        synchronized (topic) {
            for (int i = messages.size() - 1; i >= 0; i--) {
                back.addFirst(messages.get(i));
            }
            topic.notifyAll();
        }
    }

    @Override
    public void deliverLater(QueuedMessage message) {
        synchronized (topic) {
            waiting.add(message);
            topic.notifyAll();
        }
    }

    @Override
    public void deadLetter(QueuedMessage message) {
        synchronized (topic) {
            letters.add(message);
            topic.notifyAll();
        }
    }

    @Override
    public void giveLetter(Consumer<QueuedMessage> sink, long patienceMillis) throws InterruptedException {
        QueuedMessage letter = takeLetter(patienceMillis);
        if (letter == null) {
            return;
        }
        try {
            sink.accept(letter);
        } catch (RuntimeException | Error e) {
            deadLetter(letter);
            throw e;
        }
    }

    private @Nullable QueuedMessage takeLetter(long patienceMillis) throws InterruptedException {
        synchronized (topic) {
            if (letters.isEmpty() || !broker.delivers()) {
                topic.wait(patienceMillis);
            }
            return broker.delivers() ? letters.poll() : null;
        }
    }
}
