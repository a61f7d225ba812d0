package dev.waybill.rabbitmq;

import dev.waybill.lifecycle.Worker;
import dev.waybill.message.DeadLetter;
import dev.waybill.transport.DeadLetterQueue.Sink;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects one dead-letter queue, which may serve many queues: each letter goes to the sink of the queue in which it
 * failed. There is one collector for a dead-letter queue, so that collectors do not take each other's letters. A letter that
 * its sink refused, or that nobody here collects, goes back to the broker after a moment.
 */
final class DeadLetterCollector {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterCollector.class);

    /** Letters in hand at most. So many letters that nobody here collects would hide the others behind them. */
    private static final int PREFETCH = 250;

    private static final long LOOK_UP_MILLIS = 100;
    private static final long POSTPONED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Somebody who takes the letters of one queue. The lock is held while one is being saved. */
    private record Collection(String group, Sink sink, ReentrantLock busy) {}

    private record Postponed(UnackedMessage letter, long until) {}

    private final RabbitMqSettings settings;
    private final String queue;
    private final Map<String, Collection> collections = new ConcurrentHashMap<>();
    private final Set<String> unclaimed = ConcurrentHashMap.newKeySet();
    private @Nullable Collecting collecting;

    DeadLetterCollector(RabbitMqSettings settings, String queue) {
        this.settings = settings;
        this.queue = queue;
    }

    synchronized void open(String source, String group, Sink sink) {
        if (collections.putIfAbsent(source, new Collection(group, sink, new ReentrantLock())) != null) {
            throw new TransportException(
                    Reason.BAD_SETTING, "the dead letters of " + source + " are being collected already", null);
        }
        if (collecting == null) {
            collecting = new Collecting();
        }
    }

    /** Waits for the letter in hand. */
    boolean close(String source, Duration deadline) {
        Collection closing = collections.remove(source);
        boolean inTime = closing == null || quiet(closing, deadline);
        synchronized (this) {
            if (collections.isEmpty() && collecting != null) {
                collecting.end();
                collecting = null;
            }
        }
        return inTime;
    }

    private static boolean quiet(Collection closing, Duration deadline) {
        try {
            return closing.busy.tryLock(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean saved(UnackedMessage letter) {
        String source = String.valueOf(RepublishHeaders.source(letter.properties));
        Collection collection = collections.get(source);
        if (collection == null) {
            if (unclaimed.add(source)) {
                log.warn("[DeadLetters] Nobody here collects the letters of a queue queue={} dlq={}", source, queue);
            }
            return false;
        }
        if (!collection.busy.tryLock()) {
            return false; // closing
        }
        try {
            collection.sink.save(letter(source, collection.group, letter));
            return true;
        } catch (RuntimeException e) {
            log.warn("[DeadLetters] Not saved, stays at the broker queue={} dlq={}", source, queue, e);
            return false;
        } finally {
            collection.busy.unlock();
        }
    }

    private static DeadLetter letter(String source, String group, UnackedMessage letter) {
        return new DeadLetter(
                DeadLetterKey.of(source, letter.properties, letter.body),
                source,
                group,
                letter.properties.getMessageId(),
                RabbitMqHeaders.of(letter.properties),
                letter.body,
                RepublishHeaders.error(letter.properties));
    }

    /** One thread at work on the queue, while anybody collects. */
    private final class Collecting {

        private final BlockingQueue<UnackedMessage> received = new LinkedBlockingQueue<>();
        private final Queue<Postponed> postponed = new ArrayDeque<>();
        private final RabbitMqConsumer consumer = new RabbitMqConsumer(settings, queue, 1, PREFETCH, received::add);
        private final Worker worker = new Worker(
                "waybill-" + queue,
                this::work,
                error -> log.error("[DeadLetters] Collecting died dlq={}", queue, error));

        Collecting() {
            worker.start();
            consumer.start();
        }

        void end() {
            worker.join(Duration.ofSeconds(1));
            consumer.stop();
        }

        private void work() throws InterruptedException {
            UnackedMessage letter = received.poll(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
            if (letter != null && !letter.stale()) {
                if (saved(letter)) {
                    letter.acknowledge();
                } else {
                    postponed.add(new Postponed(letter, System.nanoTime() + POSTPONED_NANOS));
                }
            }
            while (!postponed.isEmpty() && System.nanoTime() - postponed.element().until >= 0) {
                postponed.remove().letter.requeue();
            }
        }
    }
}
