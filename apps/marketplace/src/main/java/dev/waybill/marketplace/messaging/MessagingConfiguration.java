package dev.waybill.marketplace.messaging;

import com.rabbitmq.client.Address;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.marketplace.db.UnconsumedEventResender;
import dev.waybill.marketplace.domain.OrderEventPublisher;
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
import org.springframework.scheduling.TaskScheduler;

/** Events are published through the outbox unless a context brings another publisher; their queues are declared at start-up. */
@Configuration(proxyBeanMethods = false)
class MessagingConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OrderEventPublisher orderEventPublisher(Outbox outbox, PayloadWriter payloads) {
        return new OutboxOrderEventPublisher(outbox, payloads);
    }

    @Bean
    Topology topology(TimeoutSettings timeout) {
        return Topology.of(timeout.after());
    }

    @Bean
    SmartInitializingSingleton rabbitMqChecks(RabbitProperties rabbit, Environment environment) {
        return () -> RabbitMqChecks.check(rabbit, environment);
    }

    @Bean
    TopologyLifecycle topologyLifecycle(TopologyDeclarer declarer, Topology topology, TaskScheduler scheduler) {
        return new TopologyLifecycle(declarer, topology, scheduler);
    }

    @Bean
    @ConditionalOnMissingBean
    Alerts alerts() {
        return new LoggedAlerts();
    }

    @Bean
    SendFailureReporter sendFailureReporter(Alerts alerts) {
        return new SendFailureReporter(alerts);
    }

    @Bean
    ConsumptionReporter consumptionReporter() {
        return new ConsumptionReporter();
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
        TopologyDeclarer topologyDeclarer(AbstractConnectionFactory spring, RabbitConnectionDetails details) {
            return new RabbitMqTopologyDeclarer(
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
        TopologyDeclarer topologyDeclarer(MemoryBroker broker, UnconsumedEventResender resender) {
            return new MemoryTopologyDeclarer(broker, resender);
        }
    }
}
