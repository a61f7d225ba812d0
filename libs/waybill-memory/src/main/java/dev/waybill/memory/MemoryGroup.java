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
final class MemoryGroup implements Mailbox {

    /** A manual clock tells nobody when it moves, so it is looked at while a copy waits for it. */
    private static final long LOOK_MILLIS = 2;

    private final MemoryBroker broker;
    private final MemoryTopic topic;
    private final MemoryTopic.Place place = new MemoryTopic.Place();
    private final Deque<Copy> back = new ArrayDeque<>();
    private final PriorityQueue<Copy> waiting =
            new PriorityQueue<>((one, other) -> one.due().compareTo(other.due()));
    private final Deque<Copy> letters = new ArrayDeque<>();

    MemoryGroup(MemoryBroker broker, MemoryTopic topic) {
        this.broker = broker;
        this.topic = topic;
    }

    @Override
    public List<Copy> take(int most, Predicate<Delivery> wanted, long patienceMillis) throws InterruptedException {
        synchronized (topic) {
            List<Copy> taken = new ArrayList<>(most);
            fill(taken, most, wanted);
            if (taken.isEmpty()) {
                topic.wait(waiting.isEmpty() && broker.delivers() ? patienceMillis : LOOK_MILLIS);
                fill(taken, most, wanted);
            }
            return taken;
        }
    }

    private void fill(List<Copy> taken, int most, Predicate<Delivery> wanted) throws InterruptedException {
        Instant now = broker.clock().instant();
        while (broker.delivers() && taken.size() < most) {
            Copy next = next(now, wanted);
            if (next == null) {
                return;
            }
            taken.add(next);
        }
    }

    private @Nullable Copy next(Instant now, Predicate<Delivery> wanted) throws InterruptedException {
        Copy first = waiting.peek();
        if (first != null && !now.isBefore(first.due())) {
            return waiting.poll();
        }
        if (!back.isEmpty()) {
            return back.poll();
        }
        Delivery fresh = topic.next(place, 0);
        while (fresh != null && !wanted.test(fresh)) {
            fresh = topic.next(place, 0);
        }
        return fresh == null ? null : Copy.of(fresh);
    }

    @Override
    public void giveBack(List<Copy> copies) {
        synchronized (topic) {
            for (int i = copies.size() - 1; i >= 0; i--) {
                back.addFirst(copies.get(i));
            }
            topic.notifyAll();
        }
    }

    @Override
    public void deliverLater(Copy copy) {
        synchronized (topic) {
            waiting.add(copy);
            topic.notifyAll();
        }
    }

    @Override
    public void bury(Copy copy) {
        synchronized (topic) {
            letters.add(copy);
            topic.notifyAll();
        }
    }

    @Override
    public void handLetter(Consumer<Copy> keeper, long patienceMillis) throws InterruptedException {
        Copy letter = takeLetter(patienceMillis);
        if (letter == null) {
            return;
        }
        try {
            keeper.accept(letter);
        } catch (RuntimeException | Error e) {
            bury(letter);
            throw e;
        }
    }

    private @Nullable Copy takeLetter(long patienceMillis) throws InterruptedException {
        synchronized (topic) {
            if (letters.isEmpty() || !broker.delivers()) {
                topic.wait(patienceMillis);
            }
            return broker.delivers() ? letters.poll() : null;
        }
    }
}
