package dev.waybill.starter.observability;

import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.InboxSubscriptions;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The subscriptions' health, under {@code waybillInbox}, where the application has Spring Boot's health module. */
@AutoConfiguration(after = InboxAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(InboxSubscriptions.class)
public final class InboxHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "waybillInboxHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("waybillInbox")
    InboxHealth waybillInboxHealthIndicator(InboxSubscriptions subscriptions) {
        return new InboxHealth(subscriptions);
    }
}
