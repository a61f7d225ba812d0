package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.message.LogText;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection and its channels, from handshake to end. It never comes back: the publisher makes a new one. */
final class RabbitMqConnection implements ConfirmChannel.Closed {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqConnection.class);

    /** For so long a missing exchange is answered without asking the broker again. */
    private static final long REFUSAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long CLOSE_MILLIS = 300;

    /** Left for probes. */
    private static final int SPARE_CHANNELS = 2;

    private record Refusal(long until, String detail) {}

    private final Connection connection;
    private final Socket socket;
    private final SizeLimit sizeLimit;
    private final Consumer<List<PendingSend>> again;
    private final Runnable changed;
    private final Map<String, ConfirmChannel> channels = new ConcurrentHashMap<>();
    private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();
    private volatile @Nullable String blocked;
    private volatile @Nullable String ended;
    private volatile long writingSince;

    /**
     * Takes over a fresh connection.
     *
     * @param again takes sends that another one's fault stopped, to be sent anew
     * @param changed called when the connection ended or was blocked or unblocked
     */
    RabbitMqConnection(
            Connection connection,
            Socket socket,
            SizeLimit limit,
            Consumer<List<PendingSend>> again,
            Runnable changed) {
        this.connection = connection;
        this.socket = socket;
        this.sizeLimit = limit;
        this.again = again;
        this.changed = changed;
        connection.addBlockedListener(this::block, this::unblock);
        connection.addShutdownListener(cause -> end(String.valueOf(cause.getMessage())));
    }

    /** Why nothing more goes through, or null. */
    @Nullable String ended() {
        return ended;
    }

    /** The broker's own words while its alarm lasts, or null. */
    @Nullable String blocked() {
        return blocked;
    }

    int frameMax() {
        return connection.getFrameMax();
    }

    /** Writer's thread only. Whatever happens, the send is settled, in a window, or handed back. */
    void publish(PendingSend send) {
        Refusal refusal = refusals.get(send.exchange());
        if (refusal != null && System.nanoTime() - refusal.until < 0) {
            send.fail(SendFailure.TOPIC_UNAVAILABLE, refusal.detail);
            return;
        }
        writingSince = System.nanoTime() | 1;
        try {
            ConfirmChannel channel = channel(send.exchange());
            if (channel == null) {
                send.fail(SendFailure.TOPIC_UNAVAILABLE, "all channels of the connection are busy");
            } else if (!channel.publish(send)) {
                again.accept(List.of(send));
            }
        } catch (IOException
                | RuntimeException e) { // whatever it is, the writer must live on and the message be settled
            send.fail(SendFailure.CONNECTION_LOST, e.toString());
            cut("publishing failed: " + e);
        } finally {
            writingSince = 0;
        }
    }

    private @Nullable ConfirmChannel channel(String exchange) throws IOException {
        ConfirmChannel channel = channels.get(exchange);
        if (channel != null && channel.open()) {
            return channel;
        }
        uncork();
        if (channels.size() >= connection.getChannelMax() - SPARE_CHANNELS) {
            retireIdleChannel();
        }
        ConfirmChannel fresh = ConfirmChannel.open(connection, exchange, this);
        if (fresh != null) {
            channels.put(exchange, fresh);
            String end = ended;
            if (end != null) {
                fresh.lose(end);
            }
        }
        return fresh;
    }

    private void retireIdleChannel() throws IOException {
        for (ConfirmChannel channel : channels.values()) {
            if (channel.idle()) {
                channels.remove(channel.exchange, channel);
                channel.retire();
                return;
            }
        }
    }

    void cork() {
        if (socket instanceof CorkedSocket corked) {
            corked.cork();
        }
    }

    void uncork() {
        if (socket instanceof CorkedSocket corked) {
            try {
                corked.uncork();
            } catch (IOException e) {
                cut("flushing failed: " + e.getMessage());
            }
        }
    }

    /** Settles what has waited too long, and gives up a connection that takes no bytes though no alarm explains it. */
    void expire(long now, List<PendingSend> expired, long patienceNanos) {
        channels.values().forEach(channel -> channel.takeExpired(now, expired));
        long since = writingSince;
        if (since != 0 && blocked == null && now - since > patienceNanos) {
            cut("the broker took no bytes for " + TimeUnit.NANOSECONDS.toMillis(now - since) + " ms");
        }
    }

    /** Asks the broker on a channel of its own, since a missing exchange closes the channel that asks. */
    boolean answers(SendTarget target) {
        if (ended != null || blocked != null) {
            return false;
        }
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                return false;
            }
            if (target instanceof SendTarget.Topic topic) {
                channel.exchangeDeclarePassive(topic.name());
                refusals.remove(topic.name());
            }
            channel.abort();
            return true;
        } catch (IOException | ShutdownSignalException e) {
            log.debug("[RabbitMqTransport] Probe failed topic={}", LogText.token(target.label()), LogText.thrown(e));
            return false;
        }
    }

    @Override
    public void closed(ConfirmChannel channel, ShutdownSignalException cause, List<PendingSend> outstanding) {
        channels.remove(channel.exchange, channel);
        if (cause.isInitiatedByApplication()) {
            again.accept(outstanding);
            return;
        }
        AMQP.Channel.Close close = (AMQP.Channel.Close) cause.getReason();
        String detail = close.getReplyCode() + " " + close.getReplyText();
        if (close.getReplyCode() == AMQP.PRECONDITION_FAILED && sizeLimit.refused(detail, outstanding)) {
            again.accept(outstanding);
            return;
        }
        log.warn(
                "[RabbitMqTransport] Topic unavailable topic={} detail={}",
                LogText.token(channel.exchange),
                LogText.sentence(detail));
        refusals.put(channel.exchange, new Refusal(System.nanoTime() + REFUSAL_NANOS, detail));
        outstanding.forEach(send -> send.fail(SendFailure.TOPIC_UNAVAILABLE, detail));
    }

    private void block(String reason) {
        blocked = reason;
        log.warn("[RabbitMqTransport] Blocked by the broker reason={}", LogText.sentence(reason));
        changed.run();
    }

    private void unblock() {
        blocked = null;
        log.info("[RabbitMqTransport] Unblocked by the broker");
        changed.run();
    }

    private void end(String detail) {
        if (ended == null) {
            ended = detail;
        }
        channels.values().forEach(channel -> channel.lose(detail));
        changed.run();
    }

    /** Ends the connection at once. Closing the socket also frees a thread that is stuck in a write. */
    void cut(String detail) {
        end(detail);
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("[RabbitMqTransport] Socket not closed", LogText.thrown(e));
        }
    }

    /** Closes the connection in an orderly way, within a moment, so that the broker does not log a broken client. */
    void leave(String detail) {
        end(detail);
        if (writingSince == 0 && blocked == null) {
            Thread closing = new Thread(() -> connection.abort((int) CLOSE_MILLIS), "waybill-rabbitmq-closing");
            closing.setDaemon(true);
            closing.start();
            try {
                closing.join(CLOSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        cut(detail);
    }
}
