package dev.waybill.starter.observability;

import dev.waybill.rocketmq.RocketMqFigures.Consumption;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.broker.RabbitMqManagement;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What the broker tells of itself, where that is configured and the application has a MeterRegistry. On a thread beside the
 * tables': a silent broker delays no other figure.
 */
@AutoConfiguration(
        after = {BrokerAutoConfiguration.class, InboxAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class BrokerMetricsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(RabbitMqManagement.class)
    static class OfRabbitMq {

        @Bean
        MetricsRefresh waybillRabbitMqMetrics(
                MeterRegistry registry,
                RabbitMqManagement management,
                ObjectProvider<InboxSubscriptions> inbox,
                WaybillProperties properties) {
            return new MetricsRefresh("rabbitmq", properties.metrics().checkedRefresh(), () -> {
                List<String> sources =
                        specs(inbox).stream().map(SubscriptionSpec::source).toList();
                return List.of(RabbitMqGauges.of(management, management.withDeadLetterQueues(sources), registry));
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RocketMqTransport.class)
    @ConditionalOnProperty("waybill.rocketmq.figures.enabled")
    static class OfRocketMq {

        /** Asks through the relay's transport; a process that does not relay to RocketMQ asks nothing. */
        @Bean
        MetricsRefresh waybillRocketMqMetrics(
                MeterRegistry registry,
                ObjectProvider<Transport> transports,
                ObjectProvider<InboxSubscriptions> inbox,
                WaybillProperties properties) {
            return new MetricsRefresh("rocketmq", properties.metrics().checkedRefresh(), () -> {
                Set<Consumption> consumptions = specs(inbox).stream()
                        .map(spec -> new Consumption(spec.group(), spec.source()))
                        .collect(Collectors.toUnmodifiableSet());
                return transports.getIfAvailable() instanceof RocketMqTransport transport
                        ? List.of(RocketMqGauges.of(
                                transport,
                                consumptions,
                                properties.rocketmq().figures().timeout(),
                                registry))
                        : List.of();
            });
        }
    }

    private static List<SubscriptionSpec> specs(ObjectProvider<InboxSubscriptions> inbox) {
        InboxSubscriptions subscriptions = inbox.getIfAvailable();
        return subscriptions == null ? List.of() : subscriptions.specs();
    }
}
