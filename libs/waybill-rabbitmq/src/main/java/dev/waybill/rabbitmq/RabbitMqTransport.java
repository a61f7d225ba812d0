package dev.waybill.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sends to RabbitMQ: a destination's topic is an exchange, its tag the routing key.
 *
 * <p>Promises: a message is confirmed only after the broker's publisher confirm and when it was not returned. It is
 * published as persistent and mandatory. A result comes at the latest when the send time-out has passed. A missing
 * exchange fails the messages of that exchange and no others. While the broker's memory or disk alarm lasts, sends are
 * answered with {@link SendFailure#BLOCKED} without touching the socket.
 *
 * <p>Does not promise: exactly one copy. After a lost connection or a time-out the broker may have the message. Exchanges,
 * queues and bindings are the user's; the default exchange, whose name is empty, cannot be addressed.
 */
public final class RabbitMqTransport implements Transport {

    private final Builder builder;
    private final RabbitMqSettings settings;
    private final Semaphore room;
    private final AtomicLong stamps = new AtomicLong();
    private @Nullable RabbitMqPublisher publisher;

    private RabbitMqTransport(Builder builder) {
        this.builder = builder;
        this.settings = builder.settings();
        this.room = new Semaphore(builder.window);
    }

    /** Starts from a connection factory: hosts, TLS, credentials and heartbeats are what it says. It is copied. */
    public static Builder builder(ConnectionFactory factory) {
        return new Builder(factory);
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public synchronized void start() {
        if (publisher == null) {
            builder.refuseUnsafe();
            publisher = new RabbitMqPublisher(settings, new SizeLimit(builder.maxMessageSize));
            publisher.start();
        }
    }

    @Override
    public void close() {
        RabbitMqPublisher leaving = takeAway();
        if (leaving != null) {
            leaving.close(); // outside the lock, because it reports results
        }
    }

    private synchronized @Nullable RabbitMqPublisher takeAway() {
        RabbitMqPublisher running = publisher;
        publisher = null;
        return running;
    }

    @Override
    public int batchLimit() {
        return builder.batchLimit;
    }

    @Override
    public boolean probe(SendTarget target) {
        return running().answers(target);
    }

    @Override
    public synchronized @Nullable String obstacle() {
        return publisher == null ? null : publisher.whyNothingIsSent();
    }

    @Override
    public void send(List<Message> batch, SendResults results) {
        RabbitMqPublisher current = running();
        long deadline = System.nanoTime() + settings.sendTimeoutNanos();
        for (int i = 0; i < batch.size(); i++) {
            Message message = batch.get(i);
            SendResult refusal = refusal(message, current);
            if (refusal == null) {
                refusal = waitForRoom(current, deadline);
            }
            if (refusal == null) {
                current.take(new PendingSend(message, i, results, stamps.incrementAndGet(), deadline, room));
            } else {
                results.report(i, refusal);
            }
        }
        current.wake();
    }

    private @Nullable NotConfirmed refusal(Message message, RabbitMqPublisher current) {
        int size = message.body().length;
        int limit = current.sizeLimit();
        if (size > limit) {
            return new NotConfirmed(SendFailure.TOO_LARGE, "body of " + size + " bytes, limit " + limit);
        }
        String objection = RabbitMqMessageMapper.objection(message, current.frameMax());
        if (objection != null) {
            return new NotConfirmed(SendFailure.ILLEGAL_MESSAGE, objection);
        }
        return current.obstacle();
    }

    private @Nullable NotConfirmed waitForRoom(RabbitMqPublisher current, long deadline) {
        if (room.tryAcquire()) {
            return null;
        }
        current.wake(); // what this call queued so far may be what fills the window
        try {
            if (room.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                NotConfirmed obstacle = current.obstacle();
                if (obstacle != null) {
                    room.release();
                }
                return obstacle;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new NotConfirmed(SendFailure.TIMED_OUT, "no room among " + builder.window + " unconfirmed messages");
    }

    private synchronized RabbitMqPublisher running() {
        if (publisher == null) {
            throw new TransportException(Reason.NOT_RUNNING, settings.name() + " is not started, or closed", null);
        }
        return publisher;
    }

    /** Collects a transport's settings. Only the connection factory has no default. */
    public static final class Builder {

        private final ConnectionFactory factory;
        private String name = "rabbitmq";
        private List<Address> addresses;
        private TopologyDeclarer topology = TopologyDeclarer.NOTHING;
        private Duration sendTimeout = Duration.ofSeconds(10);
        private Duration firstReconnect = Duration.ofMillis(100);
        private Duration lastReconnect = Duration.ofSeconds(3);
        private int maxMessageSize = 16 * 1024 * 1024;
        private int window = 10_000;
        private int batchLimit = 256;
        private boolean publisherConfirms = true;
        private boolean mandatory = true;
        private boolean persistent = true;

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

        /** The cluster's nodes, tried in this order; the factory's host and port by default. */
        public Builder addresses(List<Address> addresses) {
            this.addresses = List.copyOf(addresses);
            return this;
        }

        /** How long a message may wait for its confirm; 10 s by default. */
        public Builder sendTimeout(Duration sendTimeout) {
            this.sendTimeout = sendTimeout;
            return this;
        }

        /** Delay before the first attempt to reconnect, doubled up to the last; 100 ms and 3 s by default. */
        public Builder reconnect(Duration first, Duration last) {
            this.firstReconnect = first;
            this.lastReconnect = last;
            return this;
        }

        /**
         * The largest body in bytes; 16 MiB by default, which is RabbitMQ 4's own default limit (128 MiB before 4.0). A
         * broker with a smaller limit is believed from its first refusal on.
         */
        public Builder maxMessageSize(int bytes) {
            this.maxMessageSize = bytes;
            return this;
        }

        /** How many messages may be unconfirmed before {@code send} waits; 10,000 by default. */
        public Builder window(int messages) {
            this.window = messages;
            return this;
        }

        /** What {@link Transport#batchLimit} answers; 256 by default. */
        public Builder batchLimit(int messages) {
            this.batchLimit = messages;
            return this;
        }

        /** Must stay true: without confirms nobody knows what the broker has. Start refuses otherwise. */
        public Builder publisherConfirms(boolean publisherConfirms) {
            this.publisherConfirms = publisherConfirms;
            return this;
        }

        /** Must stay true: the broker confirms what it drops for want of a queue. Start refuses otherwise. */
        public Builder mandatory(boolean mandatory) {
            this.mandatory = mandatory;
            return this;
        }

        /** Must stay true: a broker's restart would lose confirmed messages. Start refuses otherwise. */
        public Builder persistent(boolean persistent) {
            this.persistent = persistent;
            return this;
        }

        public RabbitMqTransport build() {
            return new RabbitMqTransport(this);
        }

        private RabbitMqSettings settings() {
            atLeastOne(maxMessageSize, "maxMessageSize");
            atLeastOne(window, "window");
            atLeastOne(batchLimit, "batchLimit");
            if (addresses.isEmpty()) {
                throw new TransportException(Reason.BAD_SETTING, "addresses is empty", null);
            }
            return new RabbitMqSettings(name, factory, addresses, sendTimeout, firstReconnect, lastReconnect, topology);
        }

        private void refuseUnsafe() {
            mustStayTrue(publisherConfirms, "publisherConfirms");
            mustStayTrue(mandatory, "mandatory");
            mustStayTrue(persistent, "persistent");
        }

        private static void mustStayTrue(boolean value, String setting) {
            if (!value) {
                throw new TransportException(
                        Reason.UNSAFE_SETTING, setting + "=false would lose messages; set " + setting + "=true", null);
            }
        }

        private static void atLeastOne(int value, String setting) {
            if (value < 1) {
                throw new TransportException(Reason.BAD_SETTING, setting + " must be at least 1, was " + value, null);
            }
        }
    }
}
