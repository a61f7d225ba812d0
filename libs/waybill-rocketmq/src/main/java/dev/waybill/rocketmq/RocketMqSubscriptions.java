package dev.waybill.rocketmq;

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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.remoting.RPCHook;
import org.jspecify.annotations.Nullable;

/**
 * Receives from RocketMQ's topics, in consumer groups, one message beside the other. The number of a delivery is the
 * broker's {@code reconsumeTimes}.
 *
 * <p>Promises: a message counts as consumed only after its receiver said so, or after its copy is safe (SEND_OK) in the
 * group's retry topic or among its dead letters. Only a receiver's result spends a delivery: one that throws is asked
 * again and keeps its place meanwhile, one that waits is waited for, up to a week. A new group starts with the oldest message. A broker that is not there
 * is waited for.
 *
 * <p>Does not promise: once only, which is the inbox's part; nor an order. After a crash the broker delivers anew what was
 * consumed in the last seconds, and all that was behind a message in work. Delays are the broker's levels, from 1 s to
 * 2 h; one in between waits for the next.
 *
 * <p>A group consumes one topic with one tag expression, everywhere: members that disagree lose messages.
 */
public final class RocketMqSubscriptions implements Subscriptions {

    private final Builder builder;
    private final Republisher republisher;
    private final ConsumerPreflight preflight;
    private final Map<String, String> topicsOfGroups = new ConcurrentHashMap<>();
    private final List<Lifecycle> subscriptions = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private RocketMqSubscriptions(Builder builder) {
        this.builder = builder;
        RocketMqTransport.Builder producer = RocketMqTransport.builder(builder.nameServers)
                .name(builder.name + "-returns")
                .producerGroup("waybill-returns")
                .sendTimeout(builder.sendTimeout)
                .pollNameServer(builder.pollNameServer)
                .maxMessageSize(Integer.MAX_VALUE) // what came in may go out
                .adjust(builder.producerAdjustment);
        if (builder.rpcHook != null) {
            producer.rpcHook(builder.rpcHook);
        }
        this.republisher = new Republisher(producer);
        this.preflight = new ConsumerPreflight(republisher);
    }

    /** Starts from the name servers' addresses, {@code host:port} separated by semicolons. */
    public static Builder builder(String nameServers) {
        return new Builder(nameServers);
    }

    @Override
    public String name() {
        return builder.name;
    }

    @Override
    public Lifecycle subscribe(SubscriptionSpec spec, Receiver receiver) {
        return subscribe(spec, receiver, ReceiverPatience.UNLIMITED);
    }

    private Lifecycle collect(SubscriptionSpec letters, Receiver receiver) {
        return subscribe(letters, receiver, ReceiverPatience.OF_DEAD_LETTERS);
    }

    private Lifecycle subscribe(SubscriptionSpec spec, Receiver receiver, ReceiverPatience patience) {
        refuseIfClosed();
        ClientConsumers.check(spec);
        ClientConsumers.make(builder, spec, (messages, context) -> null); // refuses now what it would refuse later
        String consumes = spec.source() + " with tag " + spec.tag();
        String already = topicsOfGroups.putIfAbsent(spec.group(), consumes);
        if (already != null && !already.equals(consumes)) {
            throw new TransportException(
                    Reason.UNSAFE_SETTING,
                    "group " + spec.group() + " consumes " + already + " already; consuming " + consumes
                            + " too would lose messages of both: set another group",
                    null);
        }
        Lifecycle subscription = new Restartable(() -> {
            refuseIfClosed();
            return new RocketMqConsumer(builder, spec, receiver, republisher, preflight, patience);
        });
        subscriptions.add(subscription);
        return subscription;
    }

    @Override
    public DeadLetterQueue deadLetters(SubscriptionSpec spec) {
        refuseIfClosed();
        return new RocketMqDeadLetterQueue(spec, this::collect, republisher, builder.stopTimeout);
    }

    private void refuseIfClosed() {
        if (closed) {
            throw new TransportException(Reason.NOT_RUNNING, builder.name + " is closed", null);
        }
    }

    @Override
    public void close() {
        closed = true;
        subscriptions.forEach(subscription -> subscription.stop(builder.stopTimeout));
        republisher.close();
    }

    /** Collects the settings. Only the name servers have no default. */
    public static final class Builder {

        final String nameServers;
        String name = "rocketmq";
        Duration sendTimeout = Duration.ofSeconds(10);
        Duration pollNameServer = Duration.ofSeconds(5);
        Duration stopTimeout = Duration.ofSeconds(10);
        Consumer<DefaultMQPushConsumer> adjustment = consumer -> {};
        Consumer<DefaultMQProducer> producerAdjustment = producer -> {};

        @Nullable RPCHook rpcHook;

        private Builder(String nameServers) {
            this.nameServers = nameServers;
        }

        /** The name in logs and metrics; {@code rocketmq} by default. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** How long a retry, a dead letter or a replay may wait for the broker's answer; 10 s by default. */
        public Builder sendTimeout(Duration sendTimeout) {
            this.sendTimeout = sendTimeout;
            return this;
        }

        /** How often routes are asked for, and brokers are told that we live; 5 s by default. */
        public Builder pollNameServer(Duration interval) {
            this.pollNameServer = interval;
            return this;
        }

        /** How long {@link RocketMqSubscriptions#close} waits for each subscription's receivers; 10 s by default. */
        public Builder stopTimeout(Duration stopTimeout) {
            this.stopTimeout = stopTimeout;
            return this;
        }

        /** Signs requests, for brokers with access control. */
        public Builder rpcHook(RPCHook rpcHook) {
            this.rpcHook = rpcHook;
            return this;
        }

        /** Adjusts each consumer before it starts: TLS, VIP channel. What would break a promise is refused. */
        public Builder adjust(Consumer<DefaultMQPushConsumer> adjustment) {
            this.adjustment = adjustment;
            return this;
        }

        /** Adjusts the producer that returns messages to the broker, as {@link #adjust} does for consumers. */
        public Builder adjustProducer(Consumer<DefaultMQProducer> adjustment) {
            this.producerAdjustment = adjustment;
            return this;
        }

        String endpoint() {
            RocketMqTransport.Builder same = RocketMqTransport.builder(nameServers);
            return (rpcHook == null ? same : same.rpcHook(rpcHook)).endpoint();
        }

        public RocketMqSubscriptions build() {
            ClientConsumers.require(!nameServers.isBlank(), "nameServers is empty");
            ClientConsumers.require(pollNameServer.toMillis() > 0, "pollNameServer must be longer than nothing");
            ClientConsumers.require(sendTimeout.toMillis() > 0, "sendTimeout must be longer than nothing");
            return new RocketMqSubscriptions(this);
        }
    }
}
