package dev.waybill.memory;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.lifecycle.Restartable;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Receives from a {@link MemoryBroker}. A subscription's source is a topic or a declared queue. Every group gets everything
 * that is sent to a topic, and its members share it. Everybody who subscribes to a queue shares what is in it; its dead
 * letters go to its dead-letter exchange and are collected from where that leads; a queue without one is refused. Delays follow the broker's clock, which a test may move by hand. A group's progress, its retries
 * and its dead letters live in the broker: they outlive a subscription, not the JVM.
 */
public final class MemorySubscriptions implements Subscriptions {

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final MemoryBroker broker;
    private final List<Lifecycle> subscriptions = new CopyOnWriteArrayList<>();
    private final List<DeadLetterQueue> letters = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    public MemorySubscriptions(MemoryBroker broker) {
        this.broker = broker;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Lifecycle subscribe(SubscriptionSpec spec, Receiver receiver) {
        refuseIfClosed();
        broker.refuseIfUnfit(spec.source());
        Lifecycle subscription = new Restartable(() -> {
            refuseIfClosed();
            return new MemoryConsumer(spec, receiver, broker);
        });
        subscriptions.add(subscription);
        return subscription;
    }

    @Override
    public DeadLetterQueue deadLetters(SubscriptionSpec spec) {
        refuseIfClosed();
        broker.refuseIfUnfit(spec.source());
        DeadLetterQueue queue = new MemoryDeadLetterQueue(spec, broker);
        letters.add(queue);
        return queue;
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new TransportException(Reason.NOT_RUNNING, "memory is closed", null);
        }
    }

    @Override
    public void close() {
        closed = true;
        subscriptions.forEach(subscription -> subscription.stop(STOP_TIMEOUT));
        letters.forEach(DeadLetterQueue::close);
    }
}
