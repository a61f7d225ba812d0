package dev.waybill.rabbitmq;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The dead letters of one queue: collected by the one collector of its dead-letter queue, replayed to the queue itself. */
final class RabbitMqDeadLetterQueue implements DeadLetterQueue {

    private final SubscriptionSpec spec;
    private final DeadLetterCollector collector;
    private final Republisher republisher;
    private final Duration stopTimeout;
    private final List<Lifecycle> collecting = new CopyOnWriteArrayList<>();

    RabbitMqDeadLetterQueue(
            SubscriptionSpec spec, DeadLetterCollector collector, Republisher republisher, Duration stopTimeout) {
        this.spec = spec;
        this.collector = collector;
        this.republisher = republisher;
        this.stopTimeout = stopTimeout;
    }

    @Override
    public Lifecycle collect(Sink sink) {
        Lifecycle collector = new Collector(sink);
        collecting.add(collector);
        return collector;
    }

    /** By the default exchange, which knows every queue by its name: the other queues of the event see nothing of it. */
    @Override
    public SendResult replay(DeadLetter letter) {
        var properties = RepublishHeaders.forReplay(RabbitMqHeaders.toProperties(letter.messageId(), letter.headers()));
        return republisher.publish("", spec.source(), properties, letter.body());
    }

    @Override
    public void close() {
        collecting.forEach(collector -> collector.stop(stopTimeout));
    }

    private final class Collector implements Lifecycle {

        private final Sink sink;
        private boolean running;

        Collector(Sink sink) {
            this.sink = sink;
        }

        @Override
        public synchronized void start() {
            if (!running) {
                collector.open(spec.source(), spec.group(), sink);
                running = true;
            }
        }

        @Override
        public synchronized boolean stop(Duration deadline) {
            if (!running) {
                return true;
            }
            running = false;
            return collector.close(spec.source(), deadline);
        }

        @Override
        public synchronized boolean isRunning() {
            return running;
        }
    }
}
