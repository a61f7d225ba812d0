package dev.waybill.starter.observability;

import dev.waybill.outbox.Relay;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.WaybillProperties;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The relay's meters, where the application has a MeterRegistry. */
@AutoConfiguration(
        after = WaybillAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({Relay.class, MeterRegistry.class})
public final class RelayMetricsAutoConfiguration {

    @Bean
    RelayMetrics waybillRelayMetrics(MeterRegistry registry) {
        return new RelayMetrics(registry);
    }

    /** Later than the relay, which asks for its listeners by itself. */
    @Bean
    SmartInitializingSingleton waybillRelayGauges(
            RelayMetrics metrics, Relay relay, RelayLifecycle lifecycle, WaybillProperties properties) {
        return () -> {
            metrics.register(relay, properties.routes());
            metrics.register(lifecycle);
        };
    }
}
