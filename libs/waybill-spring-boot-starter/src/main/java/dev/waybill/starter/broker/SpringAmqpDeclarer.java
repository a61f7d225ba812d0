package dev.waybill.starter.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import dev.waybill.message.LogText;
import dev.waybill.rabbitmq.RabbitMqTopology;
import dev.waybill.rabbitmq.TopologyDeclarer;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;

/**
 * Has Spring AMQP declare the application's {@code Queue}, {@code Exchange}, {@code Binding} and {@code Declarables} beans.
 * RabbitAdmin does so when Spring's own connection is opened, and nothing else may ever open it: Waybill has its own.
 */
final class SpringAmqpDeclarer implements TopologyDeclarer {

    private static final Logger log = LoggerFactory.getLogger(SpringAmqpDeclarer.class);

    private final AbstractConnectionFactory springs;

    SpringAmqpDeclarer(AbstractConnectionFactory springs) {
        this.springs = springs;
    }

    @Override
    public void declare(Connection ours) throws IOException {
        try {
            springs.createConnection(); // an open one is given out again, and declares nothing anew
        } catch (AmqpException e) {
            Optional<AMQP.Channel.Close> refusal = RabbitMqTopology.refusal(e);
            if (refusal.isEmpty()) {
                throw new IOException("Spring AMQP does not connect: " + e.getMessage(), e);
            }
            log.error(
                    "[RabbitMqTopology] A bean could not be declared, going on with what the broker has cause={}",
                    LogText.sentence(refusal.get().getReplyText()));
        }
    }
}
