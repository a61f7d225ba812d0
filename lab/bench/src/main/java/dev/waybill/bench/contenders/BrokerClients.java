package dev.waybill.bench.contenders;

import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.contender.ContenderConfig;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.transport.Transport;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;

/** Makes clients of the broker that a contender is configured with. */
final class BrokerClients {

    private BrokerClients() {}

    static boolean isRabbit(ContenderConfig config) {
        return config.broker().startsWith("amqp:");
    }

    static ConnectionFactory rabbit(ContenderConfig config) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(config.broker());
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return factory;
    }

    static Transport transport(ContenderConfig config) {
        return isRabbit(config)
                ? RabbitMqTransport.builder(rabbit(config)).build()
                : RocketMqTransport.builder(config.broker()).build();
    }
}
