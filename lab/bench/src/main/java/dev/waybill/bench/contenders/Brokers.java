package dev.waybill.bench.contenders;

import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.contender.Venue;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.transport.Transport;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;

/** The broker of a venue. */
final class Brokers {

    private Brokers() {}

    static boolean isRabbit(Venue venue) {
        return venue.broker().startsWith("amqp:");
    }

    static ConnectionFactory rabbit(Venue venue) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(venue.broker());
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return factory;
    }

    static Transport transport(Venue venue) {
        return isRabbit(venue)
                ? RabbitMqTransport.builder(rabbit(venue)).build()
                : RocketMqTransport.builder(venue.broker()).build();
    }
}
