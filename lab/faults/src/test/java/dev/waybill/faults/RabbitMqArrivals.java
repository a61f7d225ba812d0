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
import java.util.concurrent.TimeoutException;

/** A durable topic exchange with one durable queue, and a consumer on it that survives the broker's restarts. */
final class RabbitMqArrivals extends Arrivals {

    private final Connection connection;

    RabbitMqArrivals(String amqp, String exchange) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(amqp);
            factory.setNetworkRecoveryInterval(500);
            connection = factory.newConnection("arrivals");
            Channel channel = connection.createChannel();
            channel.exchangeDeclare(exchange, "topic", true);
            channel.queueDeclare(exchange + ".queue", true, false, false, null);
            channel.queueBind(exchange + ".queue", exchange, "#");
            channel.basicQos(100); // what waits in memory here may be large
            channel.basicConsume(exchange + ".queue", false, new DefaultConsumer(channel) {
                @Override
                public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                        throws IOException {
                    // a redelivery of what was seen is this consumer's doing, not the relay's
                    if (!envelope.isRedeliver() || !has(properties.getMessageId())) {
                        arrived(properties.getMessageId());
                    }
                    getChannel().basicAck(envelope.getDeliveryTag(), false);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException | URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        connection.abort(1000);
    }
}
