package dev.waybill.rabbitmq;

import dev.waybill.lifecycle.Restartable;
import dev.waybill.lifecycle.Worker;
import dev.waybill.lifecycle.WorkerGroup;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one subscription, from a start to its stop. All of them take from one queue, whichever channel filled it,
 * so that a receiver that waits holds up its own deliveries and nobody else's. The queue never holds more than the prefetch
 * of all channels.
 */
final class ConsumerWorkers implements Restartable.Run {

    private static final Logger log = LoggerFactory.getLogger(ConsumerWorkers.class);
    private static final long LOOK_UP_MILLIS = 100;

    private final SubscriptionSpec spec;
    private final Receiver receiver;
    private final Acknowledger acknowledger;
    private final BlockingQueue<UnackedMessage> received = new LinkedBlockingQueue<>();
    private final RabbitMqConsumer consumer;
    private final WorkerGroup workers;
    private volatile boolean stopping;

    ConsumerWorkers(SubscriptionSpec spec, Receiver receiver, Acknowledger acknowledger, RabbitMqSettings settings) {
        this.spec = spec;
        this.receiver = receiver;
        this.acknowledger = acknowledger;
        this.consumer =
                new RabbitMqConsumer(settings, spec.source(), spec.concurrency(), spec.prefetch(), received::add);
        this.workers = new WorkerGroup(IntStream.rangeClosed(1, spec.concurrency())
                .mapToObj(i -> new Worker("waybill-" + spec.source() + "-" + i, this::work, this::died))
                .toList());
    }

    @Override
    public void start() {
        workers.start();
        consumer.start();
    }

    /** Waits for receivers at work; what they did not answer, and what nobody took yet, goes back to the broker. */
    @Override
    public boolean stop(Duration deadline) {
        stopping = true;
        boolean inTime = workers.stop(deadline);
        consumer.stop();
        return inTime;
    }

    private void work() throws InterruptedException {
        List<UnackedMessage> batch = takeBatch();
        if (batch.isEmpty()) {
            return;
        }
        List<HandlerResult> results = ask(batch);
        int unanswered = 0;
        for (int i = 0; i < batch.size(); i++) {
            unanswered += acknowledged(batch.get(i), results.get(i)) ? 0 : 1;
        }
        if (unanswered
                > 0) { // the worker's pause keeps a broker that takes no acknowledgement from being asked in a loop
            throw new IllegalStateException(unanswered + " answers not taken by the broker, queue=" + spec.source());
        }
    }

    private boolean acknowledged(UnackedMessage message, HandlerResult result) {
        try {
            return acknowledger.acknowledge(message, result);
        } catch (RuntimeException e) {
            // A message that is never acknowledged would fill the prefetch until the next connection.
            log.error("[RabbitMqSubscriptions] Answer failed, the message comes back queue={}", spec.source(), e);
            message.requeue();
            return false;
        }
    }

    private List<UnackedMessage> takeBatch() throws InterruptedException {
        List<UnackedMessage> batch = new ArrayList<>(spec.batch());
        UnackedMessage next = received.poll(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
        while (next != null) {
            if (!next.stale()) {
                batch.add(next);
            }
            next = batch.size() < spec.batch() ? received.poll() : null;
        }
        return batch;
    }

    private List<HandlerResult> ask(List<UnackedMessage> batch) throws InterruptedException {
        List<Delivery> deliveries = batch.stream().map(this::delivery).toList();
        Throwable thrown;
        try {
            return receiver.receiveAll(deliveries);
        } catch (InterruptedException e) {
            if (stopping) {
                throw e;
            }
            thrown = e;
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        batch.forEach(UnackedMessage::requeue);
        throw new IllegalStateException(
                "the receiver answered nothing for " + batch.size() + " deliveries, they come back, queue="
                        + spec.source() + " group=" + spec.group(),
                thrown);
    }

    private Delivery delivery(UnackedMessage message) {
        return new Delivery(
                spec.source(),
                spec.group(),
                message.properties.getMessageId(),
                RabbitMqHeaders.of(message.properties),
                message.body,
                RepublishHeaders.attempt(message.properties));
    }

    private void died(Error error) {
        log.error("[RabbitMqSubscriptions] Worker died queue={} group={}", spec.source(), spec.group(), error);
    }
}
