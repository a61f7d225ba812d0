package dev.waybill.rabbitmq;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Outcome;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The dead letters of one queue: collected at the desk of its dead-letter queue, replayed to the queue itself. */
final class RabbitMqDeadLetters implements DeadLetterQueue {

    private final SubscriptionSpec spec;
    private final DeadLetterDesk desk;
    private final Postroom postroom;
    private final Duration stopTimeout;
    private final List<Lifecycle> collecting = new CopyOnWriteArrayList<>();

    RabbitMqDeadLetters(SubscriptionSpec spec, DeadLetterDesk desk, Postroom postroom, Duration stopTimeout) {
        this.spec = spec;
        this.desk = desk;
        this.postroom = postroom;
        this.stopTimeout = stopTimeout;
    }

    @Override
    public Lifecycle collect(Keeper keeper) {
        Lifecycle collector = new Collector(keeper);
        collecting.add(collector);
        return collector;
    }

    /** By the default exchange, which knows every queue by its name: the other queues of the event see nothing of it. */
    @Override
    public Outcome replay(DeadLetter letter) {
        var properties = WaybillHeaders.forReplay(AmqpTexts.toProperties(letter.messageId(), letter.headers()));
        return postroom.post("", spec.source(), properties, letter.body());
    }

    @Override
    public void close() {
        collecting.forEach(collector -> collector.stop(stopTimeout));
    }

    private final class Collector implements Lifecycle {

        private final Keeper keeper;
        private boolean running;

        Collector(Keeper keeper) {
            this.keeper = keeper;
        }

        @Override
        public synchronized void start() {
            if (!running) {
                desk.open(spec.source(), spec.group(), keeper);
                running = true;
            }
        }

        @Override
        public synchronized boolean stop(Duration deadline) {
            if (!running) {
                return true;
            }
            running = false;
            return desk.close(spec.source(), deadline);
        }

        @Override
        public synchronized boolean isRunning() {
            return running;
        }
    }
}
