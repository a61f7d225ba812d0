package dev.waybill.memory;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.LogText;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SubscriptionSpec;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dead letters of one group or queue. */
final class MemoryDeadLetterQueue implements DeadLetterQueue {

    private static final Logger log = LoggerFactory.getLogger(MemoryDeadLetterQueue.class);
    private static final long LOOK_UP_MILLIS = 50;
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final SubscriptionSpec spec;
    private final MemoryBroker broker;
    private final MessageSource source;
    private final List<Lifecycle> collecting = new CopyOnWriteArrayList<>();

    MemoryDeadLetterQueue(SubscriptionSpec spec, MemoryBroker broker) {
        this.spec = spec;
        this.broker = broker;
        this.source = broker.source(spec.source(), spec.group());
    }

    @Override
    public Lifecycle collect(Sink sink) {
        Lifecycle collector = new Collector(sink);
        collecting.add(collector);
        return collector;
    }

    @Override
    public SendResult replay(DeadLetter letter) {
        if (!broker.delivers()) {
            return new NotConfirmed(SendFailure.CONNECTION_LOST, "the broker is down");
        }
        String key = broker.nextId();
        try {
            source.replay(QueuedMessage.of(
                    letter, broker.nextNumber(), key, broker.clock().instant()));
        } catch (UncheckedIOException e) {
            return broker.notWritten(e);
        }
        return new SendResult.Confirmed(key);
    }

    @Override
    public void close() {
        collecting.forEach(collector -> collector.stop(STOP_TIMEOUT));
    }

    private final class Collector implements Lifecycle {

        private final Sink sink;
        private @Nullable Worker worker;

        Collector(Sink sink) {
            this.sink = sink;
        }

        private void work() throws InterruptedException {
            source.giveLetter(letter -> sink.save(deadLetter(letter)), LOOK_UP_MILLIS);
        }

        private DeadLetter deadLetter(QueuedMessage letter) {
            return new DeadLetter(
                    letter.key(),
                    spec.source(),
                    spec.group(),
                    letter.messageId(),
                    letter.headers(),
                    letter.body(),
                    letter.error());
        }

        @Override
        public synchronized void start() {
            if (worker == null) {
                worker = new Worker(
                        "waybill-memory-letters-" + spec.group(),
                        this::work,
                        error -> log.error(
                                "[DeadLetters] Collecting died topic={}", spec.source(), LogText.thrown(error)));
                worker.start();
            }
        }

        @Override
        public synchronized boolean stop(Duration deadline) {
            Worker running = worker;
            worker = null;
            return running == null || running.join(deadline);
        }

        @Override
        public synchronized boolean isRunning() {
            return worker != null;
        }
    }
}
