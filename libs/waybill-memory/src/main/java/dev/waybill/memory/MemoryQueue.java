package dev.waybill.memory;

import dev.waybill.memory.JournalRecord.Gone;
import dev.waybill.memory.JournalRecord.Holder;
import dev.waybill.memory.JournalRecord.Put;
import dev.waybill.message.LogText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A declared queue. Whoever subscribes shares its messages, whatever the group is called, and its tag is not asked for:
 * the bindings decided already. A message that waits for another delivery is out of the queue and enters it anew when that is
 * due; until a message leaves it for good, it expires by the time at which it entered.
 */
final class MemoryQueue implements MessageSource {

    private static final Logger log = LoggerFactory.getLogger(MemoryQueue.class);

    /** How soon a message comes back whose dead-letter exchange leads nowhere. */
    private static final Duration NO_GRAVE = Duration.ofSeconds(1);

    private final QueueSpec spec;
    private final MemoryBroker broker;
    private final MemoryExchanges exchanges;
    private final Deque<QueuedMessage> ready = new ArrayDeque<>();
    private final PriorityQueue<QueuedMessage> delayed =
            new PriorityQueue<>((one, other) -> one.due().compareTo(other.due()));

    private final Map<Long, QueuedMessage> inHand = new LinkedHashMap<>();

    MemoryQueue(QueueSpec spec, MemoryBroker broker, MemoryExchanges exchanges) {
        this.spec = spec;
        this.broker = broker;
        this.exchanges = exchanges;
    }

    QueueSpec spec() {
        return spec;
    }

    Holder holder() {
        return Holder.queue(spec.name());
    }

    /** Within a change that has written it down. */
    synchronized void add(QueuedMessage message) {
        ready.add(message);
        notifyAll();
    }

    /** What nobody has in hand, oldest first. */
    synchronized List<QueuedMessage> waiting() {
        enterDue();
        return List.copyOf(ready);
    }

    @Override
    public List<QueuedMessage> take(int most, Predicate<StoredMessage> wanted, long patienceMillis)
            throws InterruptedException {
        exchanges.expire();
        synchronized (this) {
            List<QueuedMessage> taken = drain(most);
            if (taken.isEmpty()) {
                awaitNews(patience(patienceMillis));
                return drain(most);
            }
            return taken;
        }
    }

    private List<QueuedMessage> drain(int most) {
        List<QueuedMessage> taken = new ArrayList<>(most);
        enterDue();
        while (broker.delivers() && taken.size() < most && !ready.isEmpty()) {
            taken.add(takeInHand(ready.remove()));
        }
        return taken;
    }

    private QueuedMessage takeInHand(QueuedMessage message) {
        inHand.put(message.number(), message);
        return message;
    }

    private void enterDue() {
        Instant now = broker.clock().instant();
        for (QueuedMessage next = delayed.peek(); next != null && !now.isBefore(next.due()); next = delayed.peek()) {
            ready.add(delayed.remove());
        }
    }

    /** No longer than until the next message is due. */
    private long patience(long most) {
        QueuedMessage next = delayed.peek();
        if (next == null) {
            return most;
        }
        long millis = Duration.between(broker.clock().instant(), next.due()).toMillis();
        return Math.max(1, Math.min(most, millis));
    }

    @Override
    public synchronized void giveBack(List<QueuedMessage> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (letGo(messages.get(i))) {
                ready.addFirst(messages.get(i));
            }
        }
        notifyAll();
    }

    @Override
    public void forget(QueuedMessage message) {
        settle(message, List.of(new Gone(holder(), message.number())), () -> {});
    }

    @Override
    public void deliverLater(QueuedMessage message) {
        settle(message, List.of(new Put(holder(), message, false)), () -> enterLater(message));
    }

    @Override
    public void replay(QueuedMessage message) {
        broker.changes().change(() -> {
            broker.changes().write(List.of(new Put(holder(), message, false)));
            enterLater(message);
        });
    }

    /** A message that is in nobody's hands was given back, or comes from before a restart: another delivery settles it. */
    void settle(QueuedMessage message, List<JournalRecord> records, Runnable then) {
        broker.changes().change(() -> {
            if (isInHand(message)) {
                broker.changes().write(records);
                letGo(message);
                then.run();
            }
        });
    }

    private synchronized boolean isInHand(QueuedMessage message) {
        return inHand.containsKey(message.number());
    }

    private synchronized boolean letGo(QueuedMessage message) {
        return inHand.remove(message.number()) != null;
    }

    private synchronized void enterLater(QueuedMessage message) {
        delayed.add(message);
        notifyAll();
    }

    /** A message whose dead-letter exchange leads nowhere is not given up: it comes back. */
    @Override
    public void deadLetter(QueuedMessage message) {
        if (!exchanges.deadLetter(this, message, Objects.toString(message.error(), "rejected"))) {
            log.warn(
                    "[MemoryBroker] Dead letter reaches no queue and comes back eventId={} queue={} to={}",
                    LogText.token(message.messageId()),
                    spec.name(),
                    spec.deadLetters());
            deliverLater(message.later(broker.clock().instant().plus(NO_GRAVE)));
        }
    }

    /** Dead-letters what has waited too long at the head; what stands behind a younger message waits for it. */
    void expire(Instant now) {
        List<QueuedMessage> expired = takeExpired(now);
        int moved = 0;
        try {
            for (; moved < expired.size(); moved++) {
                if (!exchanges.deadLetter(this, expired.get(moved), "expired")) {
                    drop(expired.get(moved));
                }
            }
        } finally {
            giveBack(expired.subList(moved, expired.size()));
        }
    }

    private void drop(QueuedMessage message) {
        forget(message);
        log.debug(
                "[MemoryBroker] Expired and dropped eventId={} queue={}",
                LogText.token(message.messageId()),
                spec.name());
    }

    private synchronized List<QueuedMessage> takeExpired(Instant now) {
        Duration ttl = spec.messageTtl();
        List<QueuedMessage> expired = new ArrayList<>();
        enterDue();
        while (ttl != null
                && !ready.isEmpty()
                && !now.isBefore(ready.element().due().plus(ttl))) {
            expired.add(takeInHand(ready.remove()));
        }
        return expired;
    }

    @Override
    public void giveLetter(Consumer<QueuedMessage> sink, long patienceMillis) throws InterruptedException {
        exchanges.expire();
        for (MemoryQueue target : exchanges.deadLetterQueuesOf(spec)) {
            QueuedMessage letter = target.takeLetterFrom(spec.name());
            if (letter != null) {
                hand(letter, sink, target);
                return;
            }
        }
        awaitNews(patienceMillis); // of its own: the targets serve other queues too, and wake nobody up for a letter
    }

    @SuppressWarnings("WaitNotInLoop") // workers look again and again
    private synchronized void awaitNews(long millis) throws InterruptedException {
        wait(millis);
    }

    private static void hand(QueuedMessage letter, Consumer<QueuedMessage> sink, MemoryQueue target) {
        boolean kept = false;
        try {
            sink.accept(letter);
            target.forget(letter);
            kept = true;
        } finally {
            if (!kept && target.letGo(letter)) {
                target.add(letter); // behind the others, which its sink may take
            }
        }
    }

    private synchronized @Nullable QueuedMessage takeLetterFrom(String source) {
        for (Iterator<QueuedMessage> each = ready.iterator(); broker.delivers() && each.hasNext(); ) {
            QueuedMessage letter = each.next();
            if (source.equals(letter.source())) {
                each.remove();
                return takeInHand(letter);
            }
        }
        return null;
    }

    // What the file keeps.

    synchronized void describe(Consumer<JournalRecord> records) {
        Stream.of(inHand.values(), ready, delayed)
                .flatMap(Collection::stream)
                .forEach(copy -> records.accept(new Put(holder(), copy, false)));
    }

    synchronized void recover(Collection<Put> copies) {
        inHand.clear();
        ready.clear();
        delayed.clear();
        Instant now = broker.clock().instant();
        for (Put put : copies) {
            QueuedMessage copy = put.copy();
            if (copy.due().isAfter(now)) {
                delayed.add(copy);
            } else {
                ready.add(copy);
            }
        }
        notifyAll();
    }
}
