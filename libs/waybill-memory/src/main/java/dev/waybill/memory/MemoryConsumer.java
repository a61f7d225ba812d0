package dev.waybill.memory;

import dev.waybill.lifecycle.Restartable;
import dev.waybill.lifecycle.Worker;
import dev.waybill.lifecycle.WorkerGroup;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.LogText;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads for one subscription, from a start to its stop. */
final class MemoryConsumer implements Restartable.Run {

    private static final Logger log = LoggerFactory.getLogger(MemoryConsumer.class);
    private static final long LOOK_UP_MILLIS = 50;

    private final SubscriptionSpec spec;
    private final Receiver receiver;
    private final MemoryBroker broker;
    private final MessageSource source;
    private final WorkerGroup workers;
    private final Acknowledger acknowledger;
    private volatile boolean stopping;

    MemoryConsumer(SubscriptionSpec spec, Receiver receiver, MemoryBroker broker) {
        this.spec = spec;
        this.receiver = receiver;
        this.broker = broker;
        this.source = broker.source(spec.source(), spec.group());
        this.acknowledger = new Acknowledger(spec, broker, source);
        this.workers = new WorkerGroup(IntStream.rangeClosed(1, spec.concurrency())
                .mapToObj(i -> new Worker(
                        "waybill-memory-" + spec.group() + "-" + i,
                        this::work,
                        error -> log.error(
                                "[MemorySubscriptions] Worker died topic={}", spec.source(), LogText.thrown(error))))
                .toList());
    }

    @Override
    public void start() {
        workers.start();
    }

    @Override
    public boolean stop(Duration deadline) {
        stopping = true;
        return workers.stop(deadline);
    }

    @Override
    public @Nullable String obstacle() {
        return broker.delivers() ? null : "the broker in memory is down or silent";
    }

    private void work() throws InterruptedException {
        List<QueuedMessage> batch = source.take(spec.batch(), this::wanted, LOOK_UP_MILLIS);
        if (batch.isEmpty()) {
            return;
        }
        List<HandlerResult> results = ask(batch);
        if (!broker.delivers()) { // the answer reaches nobody
            source.giveBack(batch);
            return;
        }
        int acknowledged = 0;
        try {
            for (; acknowledged < batch.size(); acknowledged++) {
                acknowledger.acknowledge(batch.get(acknowledged), results.get(acknowledged));
            }
        } finally { // what could not be written down is delivered again
            source.giveBack(batch.subList(acknowledged, batch.size()));
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
            return receiver.receiveAll(batch.stream().map(this::delivery).toList());
        } catch (InterruptedException e) {
            if (stopping) {
                source.giveBack(batch);
                throw e;
            }
            thrown = e;
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        source.giveBack(batch);
        throw new IllegalStateException("the receiver answered nothing, topic=" + spec.source(), thrown);
    }

    private Delivery delivery(QueuedMessage message) {
        return new Delivery(
                spec.source(), spec.group(), message.messageId(), message.headers(), message.body(), message.attempt());
    }
}
