package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.LogText;
import dev.waybill.rabbitmq.HeldLetters.Offer;
import dev.waybill.transport.DeadLetterQueue.Sink;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
 * its sink refused is held and offered again; one that nobody here collects goes to the end of its queue after a while.
 */
final class DeadLetterCollector {

    private static final Logger log = LoggerFactory.getLogger(DeadLetterCollector.class);

    private static final int PREFETCH = 250;

    /** Letters that nobody here can save are held, up to so many channels' worth of them or so many bytes, and others come. */
    private static final int MOST_CHANNELS = 16;

    private static final long MOST_BYTES = 32 * 1024 * 1024;

    /** A sender chooses what it calls a source, so the names that were warned of are not kept without end. */
    private static final int SOURCES_WARNED_OF = 100;

    private static final int SOURCE_LENGTH = 255;
    private static final long LOOK_UP_MILLIS = 100;
    private static final long MOVE_FIRST_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** For letters under way, when saving one has taken all the time. */
    private static final Duration SHORTEST_END = Duration.ofMillis(500);

    /** Somebody who takes the letters of one queue. The lock is held while one is being saved. */
    private record Collection(String group, Sink sink, ReentrantLock busy) {}

    private final RabbitMqSettings settings;
    private final String queue;
    private final Republisher republisher;
    private final Map<String, Collection> collections = new ConcurrentHashMap<>();
    private final Set<String> warnedOf = new HashSet<>();
    private @Nullable Collecting collecting;

    DeadLetterCollector(RabbitMqSettings settings, String queue, Republisher republisher) {
        this.settings = settings;
        this.queue = queue;
        this.republisher = republisher;
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

    /** Waits for the letter in hand, and for copies under way: interrupted, each of them might be there twice. */
    boolean close(String source, Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        Collection closing = collections.remove(source);
        boolean inTime = closing == null || quiet(closing, deadline);
        synchronized (this) {
            if (collections.isEmpty() && collecting != null) {
                collecting.end(Duration.ofNanos(Math.max(SHORTEST_END.toNanos(), end - System.nanoTime())));
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

    /** The queue in which a letter failed, by its own account; of one that names none, such as one published by hand, this queue. */
    private String sourceOf(UnackedMessage letter) {
        String named = RepublishHeaders.source(letter.properties);
        String source = named == null ? queue : named;
        return source.length() <= SOURCE_LENGTH ? source : source.substring(0, SOURCE_LENGTH);
    }

    private Offer offer(UnackedMessage letter) {
        String source = sourceOf(letter);
        Offer offer = save(source, letter.properties, letter.body);
        if (offer == Offer.UNCLAIMED) {
            warn(source);
        }
        return offer;
    }

    /** Gives a letter to whoever collects those of its source here. */
    Offer save(String source, BasicProperties letter, byte[] body) {
        Collection collection = collector(source);
        if (collection == null) {
            return Offer.UNCLAIMED;
        }
        if (!collection.busy.tryLock()) {
            return Offer.REFUSED; // closing
        }
        try {
            collection.sink.save(letter(source, collection.group, letter, body));
            return Offer.SAVED;
        } catch (RuntimeException | Error e) { // an Error too must not end the collecting of the others
            log.warn(
                    "[DeadLetters] Not saved, held and offered again queue={} dlq={} cause={}",
                    LogText.token(source),
                    queue,
                    LogText.sentence(e.toString()));
            log.debug("[DeadLetters] Why a letter was not saved dlq={}", queue, LogText.thrown(e));
            return Offer.REFUSED;
        } finally {
            collection.busy.unlock();
        }
    }

    /** What names no queue is anybody's who collects here: it cannot be replayed, but is seen, and can be discarded. */
    private @Nullable Collection collector(String source) {
        Collection own = collections.get(source);
        return own == null && source.equals(queue)
                ? collections.values().stream().findFirst().orElse(null)
                : own;
    }

    private void warn(String source) {
        if (warnedOf.size() < SOURCES_WARNED_OF && warnedOf.add(source)) {
            log.warn(
                    "[DeadLetters] Nobody here collects the letters of a queue queue={} dlq={}",
                    LogText.token(source),
                    queue);
        }
    }

    private static DeadLetter letter(String source, String group, BasicProperties letter, byte[] body) {
        return new DeadLetter(
                DeadLetterKey.of(source, letter, body),
                source,
                group,
                letter.getMessageId(),
                RabbitMqHeaders.of(letter),
                body,
                RepublishHeaders.error(letter));
    }

    /** One thread at work on the queue, while anybody collects. */
    private final class Collecting {

        private final BlockingQueue<UnackedMessage> received = new LinkedBlockingQueue<>();
        private final HeldLetters held =
                new HeldLetters(DeadLetterCollector.this::offer, letter -> collector(sourceOf(letter)) != null);
        private final LetterMover mover = new LetterMover(queue, republisher, held);
        private final RabbitMqConsumer consumer = new RabbitMqConsumer(settings, queue, 1, PREFETCH, received::add);
        private final Worker worker = new Worker(
                "waybill-" + queue,
                this::work,
                error -> log.error("[DeadLetters] Collecting died dlq={}", queue, LogText.thrown(error)));

        Collecting() {
            worker.start();
            consumer.start();
        }

        void end(Duration deadline) {
            long end = System.nanoTime() + deadline.toNanos();
            if (worker.join(deadline)) {
                received.forEach(held::add);
                mover.moveCounted(end - System.nanoTime());
            }
            consumer.stop();
        }

        private void work() throws InterruptedException {
            UnackedMessage first = received.poll(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
            if (first != null) {
                held.add(first);
                List<UnackedMessage> more = new ArrayList<>();
                received.drainTo(more);
                more.forEach(held::add);
            }
            held.offer();
            int room = consumer.channels() * PREFETCH;
            boolean inTheWay = room > 0 && held.waiting() >= room * 4 / 5;
            if (!(inTheWay && holdMore())) {
                mover.move(inTheWay && held.size() >= room);
            }
        }

        /** A broker may refuse a channel with the connection, and then counts once more what is in hand. */
        private boolean holdMore() {
            if (consumer.channels() >= MOST_CHANNELS || held.bytes() >= MOST_BYTES || !consumer.mayAddChannel()) {
                return false;
            }
            mover.moveCounted(MOVE_FIRST_NANOS);
            return consumer.addChannel();
        }
    }
}
