package dev.waybill.starter.observability;

import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.InboxSubscriptions;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The inbox's meters, where the application has a MeterRegistry. */
@AutoConfiguration(
        after = InboxAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({InboxSubscriptions.class, MeterRegistry.class})
public final class InboxMetricsAutoConfiguration {

    @Bean
    InboxMetrics waybillInboxMetrics(MeterRegistry registry) {
        return new InboxMetrics(registry);
    }

    @Bean
    DeadLetterMetrics waybillDeadLetterMetrics(MeterRegistry registry) {
        return new DeadLetterMetrics(registry);
    }

    /** Later than the subscriptions, which ask for their listeners by themselves. */
    @Bean
    SmartInitializingSingleton waybillInboxGauges(
            InboxMetrics metrics, DeadLetterMetrics letters, InboxSubscriptions subscriptions) {
        return () -> {
            metrics.register(subscriptions);
            letters.register(subscriptions.specs());
        };
    }
}
