package dev.waybill.starter.broker;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.MemorySubscriptions;
import dev.waybill.memory.MemoryTransport;
import dev.waybill.starter.WaybillProperties.Broker;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The broker inside this JVM. The application may use its bean to read topics and to subscribe. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MemoryTransport.class)
class MemoryConfiguration {

    @Bean
    @ConditionalOnMissingBean
    MemoryBroker waybillMemoryBroker() {
        return new MemoryBroker();
    }

    @Bean
    BrokerFactory waybillMemory(MemoryBroker broker) {
        return new BrokerFactory() {
            @Override
            public Broker broker() {
                return Broker.MEMORY;
            }

            @Override
            public Transport transport() {
                return new MemoryTransport(broker);
            }

            @Override
            public Subscriptions subscriptions() {
                return new MemorySubscriptions(broker);
            }
        };
    }
}
