package dev.waybill.starter.observability;

import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.broker.RabbitMqManagement;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.transport.SubscriptionSpec;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** What the broker tells of itself, where its management interface is configured and the application has a MeterRegistry. */
@AutoConfiguration(
        after = {BrokerAutoConfiguration.class, InboxAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, RabbitMqManagement.class})
@ConditionalOnBean({RabbitMqManagement.class, MeterRegistry.class})
public final class BrokerMetricsAutoConfiguration {

    /** A thread beside the tables': a silent broker delays no other figure. */
    @Bean
    MetricsRefresh waybillRabbitMqMetrics(
            MeterRegistry registry,
            RabbitMqManagement management,
            ObjectProvider<InboxSubscriptions> inbox,
            WaybillProperties properties) {
        return new MetricsRefresh("rabbitmq", properties.metrics().checkedRefresh(), () -> {
            InboxSubscriptions subscriptions = inbox.getIfAvailable();
            List<String> sources = subscriptions == null
                    ? List.of()
                    : subscriptions.specs().stream()
                            .map(SubscriptionSpec::source)
                            .toList();
            Set<String> queues = management.withDeadLetterQueues(sources);
            return List.of(RabbitMqGauges.of(management, queues, registry));
        });
    }
}
