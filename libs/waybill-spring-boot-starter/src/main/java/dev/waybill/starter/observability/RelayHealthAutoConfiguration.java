package dev.waybill.starter.observability;

import dev.waybill.outbox.Relay;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.WaybillAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The relay's health, under {@code waybillRelay}, where the application has Spring Boot's health module. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Relay.class)
public final class RelayHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "waybillRelayHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("waybillRelay")
    RelayHealth waybillRelayHealthIndicator(Relay relay, RelayLifecycle lifecycle) {
        return new RelayHealth(relay, lifecycle);
    }
}
