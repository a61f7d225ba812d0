package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.lifecycle.WarningThrottle;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes a queue on a connection of its own, over some channels, from start to stop. Whatever ends the connection, one
 * of the channels or a consumer ends them all, and everything is made anew: what was not answered comes back.
 */
final class RabbitMqConsumer {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqConsumer.class);
    private static final int CLOSE_MILLIS = 1_000;

    /** A broker with a limit of channels for each user refuses one by closing the connection, with everything on it. */
    private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** At the latest after this pause the broker is asked again for what it refused to declare; it logs each refusal. */
    private static final long DECLARE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final RabbitMqSettings settings;
    private final String queue;
    private final int channelsAtFirst;
    private final int prefetch;
    private final Consumer<UnackedMessage> sink;
    private final Worker worker;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable ConnectionAttempt connecting;
    private volatile boolean connected;
    private volatile CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Consuming consuming;
    private long delayNanos;
    private final WarningThrottle warnings = new WarningThrottle();
    private volatile @Nullable String obstacle;
    private volatile @Nullable String lostBecause;
    private long addAfter = System.nanoTime(); // of the thread that adds channels

    RabbitMqConsumer(
            RabbitMqSettings settings, String queue, int channelsAtFirst, int prefetch, Consumer<UnackedMessage> sink) {
        this.settings = settings;
        this.queue = queue;
        this.channelsAtFirst = channelsAtFirst;
        this.prefetch = prefetch;
        this.sink = sink;
        this.delayNanos = settings.firstReconnectNanos();
        this.obstacle = "no connection yet to " + settings.endpoint();
        this.worker = new Worker(
                "waybill-" + settings.name() + "-" + queue,
                this::serve,
                error -> log.error(
                        "[RabbitMqSubscriptions] RabbitMqConsumer died queue={}", queue, LogText.thrown(error)));
    }

    void start() {
        worker.start();
    }

    /** Delivers nothing more. The broker gets back everything that is not answered. */
    void stop() {
        stopping.countDown();
        ConnectionAttempt attempt = connecting;
        if (attempt != null && !connected) {
            attempt.abort();
        }
        ended.countDown();
        worker.join(Duration.ofMillis(3L * CLOSE_MILLIS));
    }

    /** Why nothing is delivered, or null. */
    @Nullable String obstacle() {
        return obstacle;
    }

    /** How many channels deliver now; 0 while there is no connection. */
    int channels() {
        Consuming current = consuming;
        return current == null ? 0 : current.channels.get();
    }

    /** Whether the broker has not refused a further channel lately. */
    boolean mayAddChannel() {
        return System.nanoTime() - addAfter >= 0;
    }

    /** Lets one more channel deliver, for as long as this connection lasts. False if the broker allows none. */
    boolean addChannel() {
        Consuming current = consuming;
        try {
            return current != null && current.addChannel();
        } catch (IOException | ShutdownSignalException e) {
            log.debug("[RabbitMqSubscriptions] No further channel, connecting anew queue={}", queue, LogText.thrown(e));
            addAfter = System.nanoTime() + REFUSED_NANOS;
            current.end.countDown();
            return false;
        }
    }

    private void serve() throws InterruptedException {
        ConnectionAttempt attempt = new ConnectionAttempt(settings);
        connecting = attempt;
        ended = new CountDownLatch(1);
        if (stopping.getCount() == 0) {
            return;
        }
        try {
            Connection connection = attempt.connect();
            connected = true;
            try {
                consume(connection);
                long pause = settings.lastReconnectNanos();
                while (!ended.await(pause, TimeUnit.NANOSECONDS)) {
                    attempt.declareRefused(connection);
                    pause = Math.min(2 * pause, DECLARE_NANOS);
                }
            } finally {
                connected = false;
                consuming = null;
                obstacle =
                        "the connection to " + settings.endpoint() + " or the consumer of queue " + queue + " was lost";
                leave(connection, attempt.socket());
            }
            if (stopping.getCount() > 0) {
                log.warn(
                        "[RabbitMqSubscriptions] Connection or consumer lost, connecting anew queue={} cause={}",
                        queue,
                        LogText.sentence(lostBecause));
            }
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            complain(e);
        }
        if (stopping.await(delayNanos, TimeUnit.NANOSECONDS)) {
            return;
        }
        delayNanos = Math.min(delayNanos * 2, settings.lastReconnectNanos());
    }

    private void consume(Connection connection) throws IOException {
        Consuming fresh = new Consuming(connection, ended);
        connection.addShutdownListener(cause -> over(fresh.end, cause.getMessage()));
        for (int i = 0; i < channelsAtFirst; i++) {
            if (!fresh.addChannel()) {
                throw new IOException("the broker allows no more channels on a connection; lower the concurrency");
            }
        }
        consuming = fresh;
        delayNanos = settings.firstReconnectNanos();
        obstacle = null;
        warnings.end();
        log.info(
                "[RabbitMqSubscriptions] Consuming queue={} channels={} prefetch={}", queue, channelsAtFirst, prefetch);
    }

    /** Every channel hears of the end; what the first one heard is told in one line. */
    private void over(CountDownLatch end, @Nullable String cause) {
        if (end.getCount() > 0) {
            lostBecause = cause;
        }
        end.countDown();
    }

    private void complain(Exception e) {
        String why = "queue " + queue + " at " + settings.endpoint() + ": " + cause(e);
        obstacle = why;
        if (stopping.getCount() > 0 && warnings.isDue(System.nanoTime())) {
            log.warn("[RabbitMqSubscriptions] Receives nothing, trying on: {}", LogText.sentence(why));
        }
    }

    /** The broker's own words, where it closed a channel or the connection: that there is no such queue, for example. */
    private static String cause(Exception e) {
        Throwable cause = e.getCause() instanceof ShutdownSignalException ? e.getCause() : e;
        Object reason = cause instanceof ShutdownSignalException closed ? closed.getReason() : null;
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        return reason instanceof AMQP.Connection.Close close
                ? close.getReplyCode() + " " + close.getReplyText()
                : cause.toString();
    }

    private static void leave(Connection connection, Socket socket) {
        connection.abort(CLOSE_MILLIS);
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("[RabbitMqSubscriptions] Socket not closed", LogText.thrown(e));
        }
    }

    /** The channels of one connection, and what says that it is over. */
    private final class Consuming {

        private final Connection connection;
        private final CountDownLatch end;
        private final AtomicInteger channels = new AtomicInteger();

        Consuming(Connection connection, CountDownLatch end) {
            this.connection = connection;
            this.end = end;
        }

        boolean addChannel() throws IOException {
            Channel channel = connection.createChannel();
            if (channel == null) {
                return false;
            }
            channel.basicQos(prefetch);
            channel.basicConsume(queue, false, new ChannelConsumer(channel, end));
            channels.incrementAndGet();
            return true;
        }
    }

    /** Takes what the broker hands over on one channel; must be quick, since the connection's threads are few. */
    private final class ChannelConsumer extends DefaultConsumer {

        private final CountDownLatch end;

        ChannelConsumer(Channel channel, CountDownLatch end) {
            super(channel);
            this.end = end;
        }

        @Override
        public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
            sink.accept(new UnackedMessage(getChannel(), envelope.getDeliveryTag(), properties, body));
        }

        @Override
        public void handleCancel(String consumerTag) {
            over(end, "the queue was deleted, or its leader went away");
        }

        @Override
        public void handleShutdownSignal(String consumerTag, ShutdownSignalException cause) {
            over(end, cause.getMessage());
        }
    }
}
