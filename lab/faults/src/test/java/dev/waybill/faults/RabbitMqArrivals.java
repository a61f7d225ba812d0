package dev.waybill.faults;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A durable topic exchange with one durable queue, and a consumer on it that survives the broker's restarts. */
final class RabbitMqArrivals extends Arrivals {

    private final Connection connection;
    private final Channel channel;
    private final String queue;
    private String consumer;

    RabbitMqArrivals(String amqp, String exchange) {
        this(amqp, exchange, exchange + ".queue", Map.of());
    }

    /** The exchange may have other queues. */
    RabbitMqArrivals(String amqp, String exchange, String queue, Map<String, Object> arguments) {
        this.queue = queue;
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(amqp);
            factory.setNetworkRecoveryInterval(500);
            connection = factory.newConnection("arrivals");
            channel = connection.createChannel();
            channel.exchangeDeclare(exchange, "topic", true);
            channel.queueDeclare(queue, true, false, false, arguments);
            channel.queueBind(queue, exchange, "#");
            channel.basicQos(100); // what waits in memory here may be large
            consumer = consume();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private String consume() throws IOException {
        return channel.basicConsume(queue, false, new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                    throws IOException {
                String eventId = properties.getMessageId();
                // a redelivery of what was seen is this consumer's doing, not the relay's
                if (eventId != null && (!envelope.isRedeliver() || !has(eventId))) {
                    arrived(eventId);
                }
                getChannel().basicAck(envelope.getDeliveryTag(), false);
            }
        });
    }

    /** Receives nothing more, and fills the queue to its limit with messages that are no events. */
    void stall(int messages) {
        try {
            channel.basicCancel(consumer);
            for (int i = 0; i < messages; i++) {
                channel.basicPublish("", queue, null, new byte[0]);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Receives what is there and what comes. */
    void resume() {
        try {
            consumer = consume();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        connection.abort(1000);
    }
}
