package dev.waybill.rabbitmq;

import dev.waybill.lifecycle.Restartable;
import dev.waybill.lifecycle.Worker;
import dev.waybill.lifecycle.WorkerGroup;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.rabbitmq.HeldMessages.Held;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one subscription, from a start to its stop. All of them take from one queue, whichever channel filled it,
 * so that a receiver that waits holds up its own deliveries and nobody else's. What cannot be settled is held and tried again
 * between the others. Both together never hold more than the prefetch of all channels.
 */
final class ConsumerWorkers implements Restartable.Run {

    private static final Logger log = LoggerFactory.getLogger(ConsumerWorkers.class);
    private static final long LOOK_UP_MILLIS = 100;
    private static final long END_WAITING_MILLIS = 50;

    /** An Error may be anybody's, such as memory that others took. When it comes for one delivery so often, it is that delivery's. */
    private static final int ERRORS_IN_PLACE = 3;

    private final SubscriptionSpec spec;
    private final Receiver receiver;
    private final Acknowledger acknowledger;
    private final BlockingQueue<UnackedMessage> received = new LinkedBlockingQueue<>();
    private final HeldMessages held = new HeldMessages();
    private final RabbitMqConsumer consumer;
    private final WorkerGroup workers;
    private final AtomicBoolean warnedOfTheLimit = new AtomicBoolean();
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

    @Override
    public @Nullable String obstacle() {
        return consumer.obstacle();
    }

    /**
     * Waits for receivers at work, not for those that wait themselves; what they did not answer, and what nobody took yet, goes
     * back to the broker.
     */
    @Override
    public boolean stop(Duration deadline) {
        stopping = true;
        Worker ending = new Worker("waybill-" + spec.source() + "-stop", this::endWaiting, this::died);
        ending.start();
        boolean inTime = workers.stop(deadline);
        ending.join(Duration.ofMillis(LOOK_UP_MILLIS));
        consumer.stop();
        return inTime;
    }

    /** Repeated during a stop, because a receiver at work may begin to wait at any time. */
    private void endWaiting() throws InterruptedException {
        receiver.endWaiting();
        TimeUnit.MILLISECONDS.sleep(END_WAITING_MILLIS);
    }

    private void work() throws InterruptedException {
        Held due = held.takeDue();
        if (due != null) {
            tryAgain(due);
        }
        List<UnackedMessage> batch = takeBatch(due == null ? LOOK_UP_MILLIS : 0);
        if (!batch.isEmpty()) {
            receive(batch, 0);
        }
    }

    private void tryAgain(Held due) throws InterruptedException {
        HandlerResult result = due.result();
        if (result == null) {
            receive(List.of(due.message()), due.tries());
        } else {
            settle(due.message(), result, due.tries());
        }
    }

    private List<UnackedMessage> takeBatch(long waitMillis) throws InterruptedException {
        List<UnackedMessage> batch = new ArrayList<>(spec.batch());
        UnackedMessage next = received.poll(waitMillis, TimeUnit.MILLISECONDS);
        while (next != null) {
            if (!next.stale()) {
                warnOfTheLimit(next);
                batch.add(next);
            }
            next = batch.size() < spec.batch() ? received.poll() : null;
        }
        return batch;
    }

    /** Only a quorum queue counts, and no client can ask it for its limit. */
    private void warnOfTheLimit(UnackedMessage message) {
        if (message.redeliveries() > 0 && warnedOfTheLimit.compareAndSet(false, true)) {
            log.warn(
                    "[RabbitMqSubscriptions] The queue counts how often it delivers a message again, and drops or dead-letters it"
                            + " beyond its delivery limit, 20 by default since RabbitMQ 4.0 queue={} count={}. Lost connections"
                            + " count too: set a policy with a higher delivery-limit, or -1 for none, on this queue.",
                    spec.source(),
                    message.redeliveries());
        }
    }

    /** What the receiver did not answer is held and comes again alone, so that one delivery spoils no other's batch. */
    private void receive(List<UnackedMessage> batch, int tries) throws InterruptedException {
        List<Delivery> deliveries = batch.stream().map(this::delivery).toList();
        Throwable thrown = null;
        List<HandlerResult> results = List.of();
        try {
            results = receiver.receiveAll(deliveries);
        } catch (InterruptedException e) {
            if (stopping) {
                throw e;
            }
            thrown = e;
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        if (thrown == null) {
            for (int i = 0; i < batch.size(); i++) {
                settle(batch.get(i), results.get(i), 0);
            }
            return;
        }
        log.warn(
                "[RabbitMqSubscriptions] The receiver answered nothing, held and tried again deliveries={} queue={} group={}"
                        + " tries={} cause={}",
                batch.size(),
                spec.source(),
                spec.group(),
                tries + 1,
                LogText.sentence(thrown.toString()));
        log.debug(
                "[RabbitMqSubscriptions] Why the receiver answered nothing queue={}",
                spec.source(),
                LogText.thrown(thrown));
        if (thrown instanceof Error && batch.size() == 1 && tries + 1 >= ERRORS_IN_PLACE) {
            settle(batch.get(0), new HandlerResult.Retry(thrown.toString()), 0);
        } else {
            batch.forEach(message -> held.hold(message, null, tries + 1));
        }
    }

    private void settle(UnackedMessage message, HandlerResult result, int tries) {
        if (message.stale()) {
            return; // the broker has it back already; a copy would be a second one
        }
        try {
            if (acknowledger.acknowledge(message, result, tries)) {
                return;
            }
        } catch (RuntimeException | Error e) { // the receiver's result stands, and the others of the batch have theirs
            log.error(
                    "[RabbitMqSubscriptions] Answer failed, held and tried again queue={}",
                    spec.source(),
                    LogText.thrown(e));
        }
        held.hold(message, result, tries + 1);
    }

    private Delivery delivery(UnackedMessage message) {
        return new Delivery(
                spec.source(),
                spec.group(),
                message.properties.getMessageId(),
                RabbitMqHeaders.of(message.properties),
                message.body,
                RepublishHeaders.attempt(message.properties, spec.source()));
    }

    private void died(Error error) {
        log.error(
                "[RabbitMqSubscriptions] Worker died queue={} group={}",
                spec.source(),
                spec.group(),
                LogText.thrown(error));
    }
}
