package dev.waybill.memory;

import dev.waybill.lifecycle.Worker;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The workers of one subscription, from a start to its stop. */
final class MemoryConsumer {

    private static final Logger log = LoggerFactory.getLogger(MemoryConsumer.class);
    private static final long LOOK_UP_MILLIS = 50;

    private final SubscriptionSpec spec;
    private final Receiver receiver;
    private final MemoryBroker broker;
    private final MessageSource mailbox;
    private final List<Worker> workers;
    private volatile boolean stopping;

    MemoryConsumer(SubscriptionSpec spec, Receiver receiver, MemoryBroker broker) {
        this.spec = spec;
        this.receiver = receiver;
        this.broker = broker;
        this.mailbox = broker.mailbox(spec.source(), spec.group());
        this.workers = IntStream.rangeClosed(1, spec.concurrency())
                .mapToObj(i -> new Worker(
                        "waybill-memory-" + spec.group() + "-" + i,
                        this::work,
                        error -> log.error("[MemorySubscriptions] Worker died topic={}", spec.source(), error)))
                .toList();
    }

    void start() {
        workers.forEach(Worker::start);
    }

    boolean stop(Duration deadline) {
        stopping = true;
        workers.forEach(Worker::requestStop);
        long end = System.nanoTime() + deadline.toNanos();
        boolean inTime = true;
        for (Worker worker : workers) {
            inTime &= worker.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
        }
        return inTime;
    }

    private void work() throws InterruptedException {
        List<QueuedMessage> batch = mailbox.take(spec.batch(), this::wanted, LOOK_UP_MILLIS);
        if (batch.isEmpty()) {
            return;
        }
        List<HandlerResult> verdicts = ask(batch);
        if (!broker.delivers()) { // the answer reaches nobody
            mailbox.giveBack(batch);
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            answer(batch.get(i), verdicts.get(i));
        }
    }

    private boolean wanted(StoredMessage stored) {
        String tag = stored.message().destination().tag();
        return spec.tag().equals("*")
                || Arrays.stream(spec.tag().split("\\|\\|", -1))
                        .map(String::strip)
                        .anyMatch(tag::equals);
    }

    private List<HandlerResult> ask(List<QueuedMessage> batch) throws InterruptedException {
        Throwable thrown;
        try {
            List<HandlerResult> verdicts =
                    receiver.receive(batch.stream().map(this::delivery).toList());
            if (verdicts.size() == batch.size() && verdicts.stream().allMatch(Objects::nonNull)) {
                return verdicts;
            }
            thrown = new IllegalStateException(verdicts.size() + " verdicts for " + batch.size() + " deliveries");
        } catch (InterruptedException e) {
            if (stopping) {
                mailbox.giveBack(batch);
                throw e;
            }
            thrown = e;
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        mailbox.giveBack(batch);
        throw new IllegalStateException("the receiver answered nothing, topic=" + spec.source(), thrown);
    }

    private void answer(QueuedMessage copy, HandlerResult verdict) {
        if (verdict instanceof HandlerResult.Retry retry && copy.attempt() < spec.maxDeliveries()) {
            Duration delay = spec.retryDelays().get(copy.attempt() - 1);
            mailbox.deliverLater(copy.next(broker.clock().instant().plus(delay), retry.error()));
        } else if (verdict instanceof HandlerResult.Retry retry) {
            deadLetter(copy, retry.error());
        } else if (verdict instanceof HandlerResult.Reject reject) {
            deadLetter(copy, reject.error());
        }
    }

    private void deadLetter(QueuedMessage copy, String error) {
        log.warn(
                "[MemorySubscriptions] Dead letter eventId={} topic={} group={} attempt={} error={}",
                copy.messageId(),
                spec.source(),
                spec.group(),
                copy.attempt(),
                error);
        mailbox.deadLetter(copy.failed(error));
    }

    private dev.waybill.transport.Delivery delivery(QueuedMessage copy) {
        return new dev.waybill.transport.Delivery(
                spec.source(), spec.group(), copy.messageId(), copy.headers(), copy.body(), copy.attempt());
    }
}
