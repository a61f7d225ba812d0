package dev.waybill.starter.alert;

import dev.waybill.rocketmq.RocketMqFigures;
import dev.waybill.rocketmq.RocketMqFigures.Consumption;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.alert.BrokerBacklog.Source;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.broker.RabbitMqManagement;
import dev.waybill.starter.broker.RabbitMqManagement.QueueState;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Alerts of full queues and late groups, where the broker may be asked for its figures. */
@AutoConfiguration(after = BrokerAutoConfiguration.class)
@ConditionalOnProperty(name = "waybill.alerts.enabled")
public final class BrokerBacklogAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(RabbitMqManagement.class)
    static class OfRabbitMq {

        @Bean
        BrokerBacklog waybillRabbitMqBacklog(RabbitMqManagement management, ObjectProvider<InboxSubscriptions> inbox) {
            return new BrokerBacklog(() -> {
                List<SubscriptionSpec> specs = specs(inbox);
                Map<String, QueueState> queues = management
                        .read(specs.stream().map(SubscriptionSpec::source).collect(Collectors.toSet()))
                        .queues();
                Map<Source, Long> waiting = new HashMap<>();
                for (SubscriptionSpec spec : specs) {
                    QueueState queue = queues.get(spec.source());
                    if (queue != null) {
                        waiting.put(new Source(spec.source(), spec.group()), queue.ready());
                    }
                }
                return waiting;
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RocketMqTransport.class)
    @ConditionalOnProperty("waybill.rocketmq.figures.enabled")
    static class OfRocketMq {

        @Bean
        BrokerBacklog waybillRocketMqBacklog(
                ObjectProvider<Transport> transports,
                ObjectProvider<InboxSubscriptions> inbox,
                WaybillProperties properties) {
            Duration timeout = properties.rocketmq().figures().timeout();
            return new BrokerBacklog(() -> {
                Set<Consumption> consumptions = specs(inbox).stream()
                        .map(spec -> new Consumption(spec.group(), spec.source()))
                        .collect(Collectors.toSet());
                Map<Source, Long> waiting = new HashMap<>();
                if (transports.getIfAvailable() instanceof RocketMqTransport transport) {
                    RocketMqFigures figures = transport.figures(consumptions, timeout);
                    figures.lag().forEach((who, lag) -> waiting.put(new Source(who.topic(), who.group()), lag));
                }
                return waiting;
            });
        }
    }

    private static List<SubscriptionSpec> specs(ObjectProvider<InboxSubscriptions> inbox) {
        return inbox.stream()
                .flatMap(subscriptions -> subscriptions.specs().stream())
                .toList();
    }
}
