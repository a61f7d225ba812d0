package dev.waybill.starter.broker;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.MemorySubscriptions;
import dev.waybill.memory.MemoryTransport;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.WaybillProperties.Broker;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import dev.waybill.transport.TransportException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The broker inside this JVM, with its messages in a file where {@code waybill.memory.file} names one. The application may use
 * its bean to read topics and to subscribe.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MemoryTransport.class)
class MemoryConfiguration {

    private static final Logger log = LoggerFactory.getLogger(MemoryConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    @Lazy // another broker may be chosen, and then nobody opens the file
    MemoryBroker waybillMemoryBroker(WaybillProperties properties) {
        log.info(
                "[MemoryBroker] messages stay in this process: services that were started apart do not hear each other. They do in"
                        + " one JVM (the reference services: ./dev run), or on RabbitMQ or RocketMQ (the reference services:"
                        + " --spring.profiles.active=real)");
        Path file = properties.memory().file();
        return file == null || file.toString().isEmpty() ? new MemoryBroker() : open(file);
    }

    private static MemoryBroker open(Path file) {
        try {
            return MemoryBroker.keptIn(file);
        } catch (TransportException e) {
            throw new StartUpException(
                    "waybill.memory.file",
                    "The broker in memory does not start: " + e.getMessage() + ".",
                    "Stop the other process, or change waybill.memory.file.",
                    e);
        }
    }

    @Bean
    BrokerFactory waybillMemory(ObjectProvider<MemoryBroker> broker) {
        return new BrokerFactory() {
            @Override
            public Broker broker() {
                return Broker.MEMORY;
            }

            @Override
            public Transport transport() {
                return new MemoryTransport(broker.getObject());
            }

            @Override
            public Subscriptions subscriptions() {
                return new MemorySubscriptions(broker.getObject());
            }
        };
    }
}
