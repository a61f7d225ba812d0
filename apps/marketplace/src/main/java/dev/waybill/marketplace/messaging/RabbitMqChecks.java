package dev.waybill.marketplace.messaging;

import dev.waybill.starter.StartUpException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.amqp.autoconfigure.RabbitProperties;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Checks the {@code spring.rabbitmq} settings without which events could be lost. Another value stops the start-up. */
@Component
class RabbitMqChecks implements SmartInitializingSingleton {

    private static final String PREFIX = "spring.rabbitmq.";

    private final RabbitProperties rabbit;
    private final Environment environment;

    RabbitMqChecks(RabbitProperties rabbit, Environment environment) {
        this.rabbit = rabbit;
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        RabbitProperties.SimpleContainer listener = rabbit.getListener().getSimple();
        require(rabbit.getPublisherConfirmType() == ConfirmType.CORRELATED, "publisher-confirm-type", "correlated");
        require(rabbit.isPublisherReturns(), "publisher-returns", "true");
        require(listener.getAcknowledgeMode() == AcknowledgeMode.MANUAL, "listener.simple.acknowledge-mode", "manual");
        require(
                Boolean.FALSE.equals(listener.getDefaultRequeueRejected()),
                "listener.simple.default-requeue-rejected",
                "false");
        if (!environment.getProperty("waybill.rabbitmq.uri", "").isBlank()) {
            throw new StartUpException(
                    "waybill.rabbitmq.uri",
                    "waybill.rabbitmq.uri would send events to another broker than the one whose queues are declared.",
                    "Leave it out, and set spring.rabbitmq.host, port, virtual-host, username and password.",
                    null);
        }
    }

    private static void require(boolean holds, String name, String value) {
        if (!holds) {
            throw new StartUpException(
                    PREFIX + name,
                    "The marketplace works with " + PREFIX + name + "=" + value + " and no other value.",
                    "Set " + PREFIX + name + "=" + value + ", or leave it out.",
                    null);
        }
    }
}
