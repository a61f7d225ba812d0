package dev.waybill.rocketmq;

import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.remoting.RPCHook;
import org.jspecify.annotations.Nullable;

/**
 * Sends to RocketMQ: a destination's topic is a topic, its tag a tag. The messages of one topic go as one batch.
 *
 * <p>Promises: a message is confirmed only by SEND_OK; an answer that it was not flushed or replicated in time is {@link
 * SendFailure#NOT_STORED}, after another broker was tried where the topic has one. A message that the broker refuses does
 * not take the rest of its batch along. A topic that hangs holds up no other. A result comes at the latest when the send
 * time-out has passed; a message that never left this process until then is {@link SendFailure#NOT_SENT}.
 *
 * <p>Does not promise: exactly one copy. After NOT_STORED, a time-out or a lost connection the broker may have the message.
 * How safe SEND_OK is, is the broker's setting: synchronous flush, and SYNC_MASTER or DLedger for replicas.
 */
public final class RocketMqTransport implements Transport {

    private static final Duration APART = Duration.ofMillis(5);

    private final Builder builder;
    private @Nullable RocketMqPublisher publisher;
    private @Nullable BrokerWatch watch;

    private RocketMqTransport(Builder builder) {
        this.builder = builder;
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
    public synchronized void start() {
        if (publisher == null) {
            DefaultMQProducer producer = ClientProducers.make(builder);
            publisher = new RocketMqPublisher(producer, builder);
            BrokerWatch started = new BrokerWatch(producer, builder.name, builder.endpoint(), builder.pollNameServer);
            watch = started;
            started.start();
        }
    }

    @Override
    public synchronized @Nullable String obstacle() {
        return watch == null ? null : watch.obstacle();
    }

    @Override
    public void close() {
        RocketMqPublisher leaving = takeAway();
        if (leaving != null) {
            leaving.close(); // outside the lock, because it reports results
        }
    }

    private synchronized @Nullable RocketMqPublisher takeAway() {
        RocketMqPublisher running = publisher;
        publisher = null;
        if (watch != null) {
            watch.stop();
            watch = null;
        }
        return running;
    }

    @Override
    public int batchLimit() {
        return builder.batchLimit;
    }

    /** A batch is flushed to the broker's disk as a whole, so that a few messages cost as much as one. */
    @Override
    public Duration batchLinger() {
        return APART;
    }

    @Override
    public boolean probe(SendTarget target) {
        return BrokerProbe.answers(running().producer(), target, builder.createTopics);
    }

    /**
     * What the brokers tell of themselves, for metrics; asks each of them, so it belongs to no hot path.
     *
     * @param timeout how long one question may take
     * @throws IllegalStateException when one does not answer
     */
    public RocketMqFigures figures(Set<RocketMqFigures.Consumption> consumptions, Duration timeout) {
        return RocketMqFigures.read(running().producer(), consumptions, timeout);
    }

    @Override
    public void send(List<Message> batch, SendResults results) {
        RocketMqPublisher current = running();
        long deadline = System.nanoTime() + builder.sendTimeout.toNanos();
        Map<String, List<PendingSend>> good = new LinkedHashMap<>();
        for (int i = 0; i < batch.size(); i++) {
            Message message = batch.get(i);
            RocketMqMessageMapper form = RocketMqMessageMapper.of(message);
            NotConfirmed refusal = refusal(message, form);
            if (refusal != null) {
                results.report(i, refusal);
            } else {
                good.computeIfAbsent(message.destination().topic(), topic -> new ArrayList<>())
                        .add(new PendingSend(form.fill(message), form.size(), deadline, i, results));
            }
        }
        good.forEach(current::submit);
    }

    private @Nullable NotConfirmed refusal(Message message, RocketMqMessageMapper form) {
        int size = message.body().length;
        if (size > builder.maxMessageSize) {
            return new NotConfirmed(
                    SendFailure.TOO_LARGE, "body of " + size + " bytes, limit " + builder.maxMessageSize);
        }
        String objection = form.objection();
        return objection == null ? null : new NotConfirmed(SendFailure.ILLEGAL_MESSAGE, objection);
    }

    private synchronized RocketMqPublisher running() {
        if (publisher == null) {
            throw new TransportException(Reason.NOT_RUNNING, builder.name + " is not started, or closed", null);
        }
        return publisher;
    }

    /** Collects a transport's settings. Only the name servers have no default. */
    public static final class Builder {

        final String nameServers;
        String name = "rocketmq";
        String producerGroup = "waybill";
        Duration sendTimeout = Duration.ofSeconds(10);
        Duration pollNameServer = Duration.ofSeconds(5);
        int maxMessageSize = 4 * 1024 * 1024;
        int batchesInFlight = 4;
        int batchLimit = 256;
        boolean createTopics = true;
        boolean retryAnotherBrokerWhenNotStoreOK = true;
        boolean waitStoreMsgOK = true;

        @Nullable RPCHook rpcHook;

        Consumer<DefaultMQProducer> adjustment = producer -> {};

        private Builder(String nameServers) {
            this.nameServers = nameServers;
        }

        /** The name in logs and metrics; {@code rocketmq} by default. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** The producer group; {@code waybill} by default. */
        public Builder producerGroup(String producerGroup) {
            this.producerGroup = producerGroup;
            return this;
        }

        /** How long a message may wait for the broker's answer; 10 s by default. */
        public Builder sendTimeout(Duration sendTimeout) {
            this.sendTimeout = sendTimeout;
            return this;
        }

        /** How often routes are asked for; 5 s by default, where the client's own default is 30 s. */
        public Builder pollNameServer(Duration interval) {
            this.pollNameServer = interval;
            return this;
        }

        /** The largest body in bytes, and the largest batch; 4 MiB by default, like the broker's own limit. */
        public Builder maxMessageSize(int bytes) {
            this.maxMessageSize = bytes;
            return this;
        }

        /** How many batches of a topic may wait for the broker's answer before the next waits for them; 4 by default. */
        public Builder batchesInFlight(int batches) {
            this.batchesInFlight = batches;
            return this;
        }

        /** What {@link Transport#batchLimit} answers; 256 by default. */
        public Builder batchLimit(int messages) {
            this.batchLimit = messages;
            return this;
        }

        /**
         * Whether the broker may create an unknown topic on the first message, if it is set up to do so; true by default.
         * False makes an unknown topic {@link SendFailure#TOPIC_UNAVAILABLE} on every broker.
         */
        public Builder createTopics(boolean createTopics) {
            this.createTopics = createTopics;
            return this;
        }

        /** Must stay true: otherwise an answer such as FLUSH_DISK_TIMEOUT is not tried elsewhere. Start refuses. */
        public Builder retryAnotherBrokerWhenNotStoreOK(boolean retry) {
            this.retryAnotherBrokerWhenNotStoreOK = retry;
            return this;
        }

        /** Must stay true: otherwise the broker answers before it has stored. Start refuses. */
        public Builder waitStoreMsgOK(boolean wait) {
            this.waitStoreMsgOK = wait;
            return this;
        }

        /** Signs requests, for brokers with access control. */
        public Builder rpcHook(RPCHook rpcHook) {
            this.rpcHook = rpcHook;
            return this;
        }

        /** Adjusts the producer before it starts: TLS, namespace, VIP channel. What would break a promise is refused. */
        public Builder adjust(Consumer<DefaultMQProducer> adjustment) {
            this.adjustment = adjustment;
            return this;
        }

        /** Where the brokers are found and as whom we sign, for logs and health: never the secret. */
        String endpoint() {
            return "name servers " + nameServers
                    + (rpcHook instanceof AclClientRPCHook acl
                            ? " user=" + acl.getSessionCredentials().getAccessKey()
                            : "");
        }

        public RocketMqTransport build() {
            return new RocketMqTransport(this);
        }
    }
}
