package dev.waybill.rabbitmq;

import dev.waybill.lifecycle.Worker;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one subscription, from a start to its stop. All of them take from one pile, whichever channel filled it:
 * a receiver that waits holds its own deliveries and nobody else's. The pile is never higher than the prefetch of all
 * channels.
 */
final class ConsumerWorkers {

    private static final Logger log = LoggerFactory.getLogger(ConsumerWorkers.class);
    private static final long LOOK_UP_MILLIS = 100;

    private final SubscriptionSpec spec;
    private final Receiver receiver;
    private final Acknowledger answers;
    private final BlockingQueue<UnackedMessage> pile = new LinkedBlockingQueue<>();
    private final RabbitMqConsumer intake;
    private final List<Worker> workers;
    private volatile boolean stopping;

    ConsumerWorkers(SubscriptionSpec spec, Receiver receiver, Acknowledger answers, RabbitMqSettings settings) {
        this.spec = spec;
        this.receiver = receiver;
        this.answers = answers;
        this.intake = new RabbitMqConsumer(settings, spec.source(), spec.concurrency(), spec.prefetch(), pile::add);
        this.workers = IntStream.rangeClosed(1, spec.concurrency())
                .mapToObj(i -> new Worker("waybill-" + spec.source() + "-" + i, this::work, this::died))
                .toList();
    }

    void start() {
        workers.forEach(Worker::start);
        intake.start();
    }

    /** Waits for receivers at work; what they did not answer, and what lies on the pile, goes back to the broker. */
    boolean stop(Duration deadline) {
        stopping = true;
        workers.forEach(Worker::requestStop);
        long end = System.nanoTime() + deadline.toNanos();
        boolean inTime = true;
        for (Worker worker : workers) {
            inTime &= worker.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
        intake.stop();
        return inTime;
    }

    private void work() throws InterruptedException {
        List<UnackedMessage> batch = takeBatch();
        if (batch.isEmpty()) {
            return;
        }
        List<HandlerResult> verdicts = ask(batch);
        int unanswered = 0;
        for (int i = 0; i < batch.size(); i++) {
            unanswered += answered(batch.get(i), verdicts.get(i)) ? 0 : 1;
        }
        if (unanswered > 0) { // the worker's pause keeps a broken way back from spinning
            throw new IllegalStateException(unanswered + " answers not taken by the broker, queue=" + spec.source());
        }
    }

    private boolean answered(UnackedMessage handover, HandlerResult verdict) {
        try {
            return answers.give(handover, verdict);
        } catch (RuntimeException e) {
            // A handover without any answer would fill the prefetch until the next connection.
            log.error("[RabbitMqSubscriptions] Answer failed, the message comes back queue={}", spec.source(), e);
            handover.requeue();
            return false;
        }
    }

    private List<UnackedMessage> takeBatch() throws InterruptedException {
        List<UnackedMessage> batch = new ArrayList<>(spec.batch());
        UnackedMessage next = pile.poll(LOOK_UP_MILLIS, TimeUnit.MILLISECONDS);
        while (next != null) {
            if (!next.stale()) {
                batch.add(next);
            }
            next = batch.size() < spec.batch() ? pile.poll() : null;
        }
        return batch;
    }

    private List<HandlerResult> ask(List<UnackedMessage> batch) throws InterruptedException {
        List<Delivery> deliveries = batch.stream().map(this::delivery).toList();
        Throwable thrown;
        try {
            List<HandlerResult> verdicts = receiver.receive(deliveries);
            String objection = objection(verdicts, batch.size());
            if (objection == null) {
                return verdicts;
            }
            thrown = new IllegalStateException(objection);
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

    private static @Nullable String objection(List<HandlerResult> verdicts, int wanted) {
        if (verdicts.size() != wanted) {
            return verdicts.size() + " verdicts for " + wanted + " deliveries";
        }
        return verdicts.stream().allMatch(Objects::nonNull) ? null : "a verdict is null";
    }

    private Delivery delivery(UnackedMessage handover) {
        return new Delivery(
                spec.source(),
                spec.group(),
                handover.properties.getMessageId(),
                RabbitMqHeaders.of(handover.properties),
                handover.body,
                RepublishHeaders.attempt(handover.properties));
    }

    private void died(Error error) {
        log.error("[RabbitMqSubscriptions] Worker died queue={} group={}", spec.source(), spec.group(), error);
    }
}
