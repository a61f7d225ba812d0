package dev.waybill.contender;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends one message and waits for its confirm, on a channel of the calling thread: what a handler has to do whose return
 * means that the event is out.
 */
public final class ConfirmedSender implements AutoCloseable {

    private static final long PATIENCE_MILLIS = 30_000;

    private final Connection connection;
    private final String exchange;
    private final String key;
    private final AtomicLong count = new AtomicLong();

    @SuppressWarnings("ThreadLocalUsage") // a channel belongs to one thread of this connection
    private final ThreadLocal<Channel> channels = ThreadLocal.withInitial(this::open);

    public ConfirmedSender(ContenderConfig config) {
        this.exchange = config.exchange();
        this.key = config.key();
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(config.broker());
            connection = factory.newConnection("bench");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Persistent, mandatory and with the properties that every contender's message has at least. */
    public void send(String messageId, String body) {
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(messageId)
                .type("OrderCreated")
                .contentType("application/json")
                .deliveryMode(2)
                .build();
        Channel channel = channels.get();
        try {
            channel.basicPublish(exchange, key, true, properties, body.getBytes(StandardCharsets.UTF_8));
            if (!channel.waitForConfirms(PATIENCE_MILLIS)) {
                throw new IllegalStateException("the broker refused " + messageId);
            }
            count.incrementAndGet();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public long count() {
        return count.get();
    }

    private Channel open() {
        try {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        connection.abort(1000);
    }
}
