package dev.waybill.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.lifecycle.Restartable;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Receives from RabbitMQ's queues: manual acknowledgement, and a spec's prefetch on each of as many channels as its
 * concurrency says.
 *
 * <p>Promises: a message is acknowledged only after its receiver said so, or after its copy is safe where it waits for
 * another delivery or for a person. For the waiting there are queues {@code waybill.retry.<queue>.<milliseconds>}, declared
 * on demand; the attempt is in the header {@code x-waybill-attempt}, the error in {@code x-waybill-error}. A lost
 * connection costs nothing but repeats. A receiver that throws an exception has spent no attempt; an Error
 * that comes three times in a row for one delivery spends one. What cannot be settled is held and tried again here, because
 * quorum queues drop what is given back too often.
 *
 * <p>Does not promise: once only, which is the inbox's part; nor an order. A broker's {@code consumer_timeout} (30 minutes
 * by default) takes deliveries back from a receiver that waits longer: then somebody else may receive them too.
 *
 * <p>Queues, exchanges and bindings are the user's. One dead-letter queue may serve many queues, if the letters of all of
 * them are collected by the same instance of this class.
 */
public final class RabbitMqSubscriptions implements Subscriptions {

    private final Builder builder;
    private final RabbitMqSettings settings;
    private final Republisher republisher;
    private final Map<String, DeadLetterCollector> collectors = new ConcurrentHashMap<>();
    private final List<Lifecycle> subscriptions = new CopyOnWriteArrayList<>();
    private final List<DeadLetterQueue> letters = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private RabbitMqSubscriptions(Builder builder) {
        this.builder = builder;
        this.settings = new RabbitMqSettings(
                builder.name,
                builder.factory,
                builder.addresses,
                builder.confirmTimeout,
                Duration.ofMillis(100),
                builder.longestReconnect,
                builder.topology);
        this.republisher = new Republisher(settings, builder.retryQueues);
    }

    /** Starts from a connection factory: hosts, TLS, credentials and heartbeats are what it says. It is copied. */
    public static Builder builder(ConnectionFactory factory) {
        return new Builder(factory);
    }

    @Override
    public String name() {
        return builder.name;
    }

    @Override
    public Lifecycle subscribe(SubscriptionSpec spec, Receiver receiver) {
        refuseIfClosed();
        for (Duration delay : spec.retryDelays()) {
            if (delay.isNegative() || RetryQueues.tooLong(spec.source(), delay)) {
                throw new TransportException(
                        Reason.BAD_SETTING,
                        "retryDelays of queue " + spec.source() + ": " + delay + " is negative, or the name "
                                + RetryQueues.name(spec.source(), delay) + " is longer than 255 bytes",
                        null);
            }
        }
        Acknowledger acknowledger = new Acknowledger(spec, route(spec), republisher, collector(spec));
        Lifecycle subscription = new Restartable(() -> {
            refuseIfClosed();
            return new ConsumerWorkers(spec, receiver, acknowledger, settings);
        });
        subscriptions.add(subscription);
        return subscription;
    }

    @Override
    public DeadLetterQueue deadLetters(SubscriptionSpec spec) {
        refuseIfClosed();
        DeadLetterQueue queue = new RabbitMqDeadLetterQueue(spec, collector(spec), republisher, builder.stopTimeout);
        letters.add(queue);
        return queue;
    }

    private DeadLetterCollector collector(SubscriptionSpec spec) {
        return collectors.computeIfAbsent(
                route(spec).queue(), queue -> new DeadLetterCollector(settings, queue, republisher));
    }

    private DeadLetterRoute route(SubscriptionSpec spec) {
        DeadLetterRoute route = builder.routes.getOrDefault(spec.source(), builder.routeOfTheRest);
        if (route == null) {
            throw new TransportException(
                    Reason.UNSAFE_SETTING,
                    "queue " + spec.source() + " has no dead-letter route, so a message that fails for good would be"
                            + " lost; set deadLetters(\"" + spec.source() + "\", …)",
                    null);
        }
        return route;
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new TransportException(Reason.NOT_RUNNING, builder.name + " is closed", null);
        }
    }

    @Override
    public void close() {
        closed = true;
        List<Thread> stops = new ArrayList<>();
        subscriptions.forEach(each -> stops.add(new Thread(() -> each.stop(builder.stopTimeout))));
        letters.forEach(each -> stops.add(new Thread(each::close)));
        stops.forEach(Thread::start); // together, so that all of them share one time-out
        for (Thread stop : stops) {
            awaitEnd(stop);
        }
        republisher.close();
    }

    private static void awaitEnd(Thread stop) {
        try {
            stop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the stop goes on by itself, within its time-out
        }
    }

    /** Collects the settings. Where dead letters go has no default. */
    public static final class Builder {

        private final ConnectionFactory factory;
        private final Map<String, DeadLetterRoute> routes = new HashMap<>();
        private @Nullable DeadLetterRoute routeOfTheRest;
        private List<Address> addresses;
        private TopologyDeclarer topology = TopologyDeclarer.NOTHING;
        private String name = "rabbitmq";
        private Duration confirmTimeout = Duration.ofSeconds(10);
        private Duration longestReconnect = Duration.ofSeconds(5);
        private Duration stopTimeout = Duration.ofSeconds(10);
        private RetryQueues retryQueues = RetryQueues.QUORUM;

        private Builder(ConnectionFactory factory) {
            this.factory = factory;
            this.addresses = List.of(new Address(factory.getHost(), factory.getPort()));
        }

        /** The name in logs and metrics; {@code rabbitmq} by default. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** What is declared on every fresh connection; nothing by default. */
        public Builder topology(TopologyDeclarer topology) {
            this.topology = topology;
            return this;
        }

        /** The nodes of a cluster; by default the factory's host. */
        public Builder addresses(List<Address> addresses) {
            this.addresses = List.copyOf(addresses);
            return this;
        }

        /** Where the dead letters of one queue go. */
        public Builder deadLetters(String queue, DeadLetterRoute route) {
            routes.put(queue, route);
            return this;
        }

        /** Where the dead letters of every other queue go. */
        public Builder deadLetters(DeadLetterRoute route) {
            this.routeOfTheRest = route;
            return this;
        }

        /** How long a retry, a dead letter or a replay may wait for the broker's confirm; 10 s by default. */
        public Builder confirmTimeout(Duration confirmTimeout) {
            this.confirmTimeout = confirmTimeout;
            return this;
        }

        /** The longest pause between two attempts to connect; 5 s by default, the first is 100 ms. */
        public Builder longestReconnect(Duration longestReconnect) {
            this.longestReconnect = longestReconnect;
            return this;
        }

        /** How long {@link RabbitMqSubscriptions#close} waits for receivers at work; 10 s by default. */
        public Builder stopTimeout(Duration stopTimeout) {
            this.stopTimeout = stopTimeout;
            return this;
        }

        /**
         * Makes retry queues classic, for brokers before 3.10. A broker that dies in the moment in which a classic retry
         * queue gives a message back can lose it; quorum queues, the default, do not.
         */
        public Builder classicRetryQueues() {
            this.retryQueues = RetryQueues.CLASSIC;
            return this;
        }

        public RabbitMqSubscriptions build() {
            if (addresses.isEmpty()) {
                throw new TransportException(Reason.BAD_SETTING, "addresses is empty", null);
            }
            return new RabbitMqSubscriptions(this);
        }
    }
}
