package dev.waybill.guard.boot;

import io.micrometer.tracing.otel.bridge.Slf4JEventListener;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Keeps the request's trace id in the log lines; before Boot's auto-configuration, whose listener is only a default. */
@AutoConfiguration(
        beforeName =
                "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration")
@ConditionalOnClass(Slf4JEventListener.class)
public class SpanLogAutoConfiguration {

    /** OpenTelemetry's id gets an MDC key of its own, or every span would overwrite the id that our log lines show. */
    @Bean
    @ConditionalOnMissingBean
    Slf4JEventListener otelSlf4JEventListener() {
        return new Slf4JEventListener("otelTraceId", "spanId");
    }
}
