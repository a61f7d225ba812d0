package dev.waybill.starter.tracing;

import dev.waybill.starter.EventTracing;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Spans of events, where the application has a Tracer that is more than Boot's placeholder for none. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
        },
        beforeName = "org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration")
@ConditionalOnClass({Tracer.class, ObservationRegistry.class})
@ConditionalOnBean({Tracer.class, ObservationRegistry.class})
public final class TracingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    EventTracing waybillEventTracing(ObservationRegistry registry, Tracer tracer) {
        return new ObservedEvents(new EventSpans(registry, tracer));
    }

    @Bean
    @Order(0) // of all handlers that fit only the first one is used
    EventSpanHandler waybillEventSpanHandler(Tracer tracer) {
        return new EventSpanHandler(tracer);
    }

    /** Where the application measures its observations. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterObservationHandler.class)
    static class WithMeters {

        @Bean
        @Order(0)
        NoEventMeters waybillNoEventMeters() {
            return new NoEventMeters();
        }
    }
}
