package dev.waybill.marketplace.messaging;

import dev.waybill.starter.StartUpException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.boot.amqp.autoconfigure.RabbitProperties;
import org.springframework.core.env.Environment;

/** Checks the {@code spring.rabbitmq} settings without which events could be lost. Another value stops the start-up. */
final class RabbitMqChecks {

    private static final String PREFIX = "spring.rabbitmq.";

    private RabbitMqChecks() {}

    static void check(RabbitProperties rabbit, Environment environment) {
        RabbitProperties.SimpleContainer listener = rabbit.getListener().getSimple();
        require(rabbit.getPublisherConfirmType() == ConfirmType.CORRELATED, "publisher-confirm-type", "correlated");
        require(rabbit.isPublisherReturns(), "publisher-returns", "true");
        require(listener.getAcknowledgeMode() == AcknowledgeMode.MANUAL, "listener.simple.acknowledge-mode", "manual");
        require(
                Boolean.FALSE.equals(listener.getDefaultRequeueRejected()),
                "listener.simple.default-requeue-rejected",
                "false");
        String uri = environment.getProperty("waybill.rabbitmq.uri", "");
        if (!uri.isBlank()) {
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
