package dev.waybill.bench;

import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DeliverCallback;
import dev.waybill.servers.RabbitMq;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A durable queue in a virtual host of its own. */
final class RabbitMqReceivingQueue implements ReceivingQueue {

    private static final String NAME = "bench";

    private final String uri;
    private final Connection connection;
    private final Channel channel;
    private final Arrivals arrivals = new Arrivals();
    private @Nullable String consumer;

    RabbitMqReceivingQueue(RabbitMq broker, BrokerKind kind) {
        uri = broker.freshVhost().amqpUri();
        String type = kind == BrokerKind.QUORUM ? "quorum" : "classic";
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(uri);
            connection = factory.newConnection("bench-receiving-queue");
            channel = connection.createChannel();
            channel.exchangeDeclare(NAME, "topic", true);
            channel.queueDeclare(NAME, true, false, false, Map.of("x-queue-type", type));
            channel.queueDeclare(NAME + ".dead", true, false, false, Map.of());
            channel.queueBind(NAME, NAME, "#");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String broker() {
        return uri;
    }

    @Override
    public String exchange() {
        return NAME;
    }

    @Override
    public String key() {
        return "bench.event";
    }

    @Override
    public Arrivals arrivals() {
        return arrivals;
    }

    @Override
    public void listen() {
        if (consumer != null) {
            return;
        }
        DeliverCallback receive = (tag, delivery) -> arrivals.add(delivery.getBody());
        CancelCallback cancelled = tag -> {};
        try {
            consumer = channel.basicConsume(NAME, true, receive, cancelled);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stopListening() {
        try {
            if (consumer != null) {
                channel.basicCancel(consumer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        consumer = null;
    }

    @Override
    public void close() {
        connection.abort(1000);
    }
}
