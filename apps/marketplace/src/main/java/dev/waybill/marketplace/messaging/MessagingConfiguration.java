package dev.waybill.marketplace.messaging;

import com.rabbitmq.client.Address;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.marketplace.db.UnconsumedEvents;
import dev.waybill.marketplace.domain.OrderEvents;
import dev.waybill.marketplace.domain.TimeoutSettings;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.amqp.autoconfigure.RabbitProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Events go through the outbox, unless a context brings another way; the queues they travel through are declared at start. */
@Configuration(proxyBeanMethods = false)
class MessagingConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OrderEvents orderEvents(Outbox outbox, PayloadWriter payloads) {
        return new OutboxOrderEvents(outbox, payloads);
    }

    @Bean
    Topology topology(TimeoutSettings timeout) {
        return Topology.of(timeout.after());
    }

    @Bean
    SmartInitializingSingleton frozenSettings(RabbitProperties rabbit, Environment environment) {
        return () -> FrozenSettings.check(rabbit, environment);
    }

    @Bean
    TopologyLifecycle topologyLifecycle(TopologyBroker broker, Topology topology) {
        return new TopologyLifecycle(broker, topology);
    }

    @Bean
    @ConditionalOnMissingBean
    Alerts alerts() {
        return new LoggedAlerts();
    }

    @Bean
    SendReports sendReports(Alerts alerts) {
        return new SendReports(alerts);
    }

    @Bean
    DeadLetterAlert deadLetterAlert(Alerts alerts, ObjectProvider<DeadLetters> letters) {
        return new DeadLetterAlert(alerts, letters);
    }

    /** On RabbitMQ. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "waybill.broker", havingValue = "rabbitmq")
    static class OnRabbitMq {

        @Bean
        TopologyBroker topologyBroker(AbstractConnectionFactory spring, RabbitConnectionDetails details) {
            return new RabbitTopology(
                    spring.getRabbitConnectionFactory(),
                    details.getAddresses().stream()
                            .map(address -> new Address(address.host(), address.port()))
                            .toList());
        }
    }

    /** Inside this process. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "waybill.broker", havingValue = "memory")
    static class InThisProcess {

        @Bean
        TopologyBroker topologyBroker(MemoryBroker broker, UnconsumedEvents unconsumed) {
            return new MemoryTopology(broker, unconsumed);
        }
    }
}
