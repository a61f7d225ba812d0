package dev.waybill.guard.boot;

import io.micrometer.tracing.Tracer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Connects the trace of a request with Micrometer Tracing, after the auto-configurations that define the tracer. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(Tracer.class)
public class SpanJoinAutoConfiguration {

    /** Boot's observation filter, which opens the span, is at highest precedence + 1. */
    private static final int AFTER_OBSERVATION = Ordered.HIGHEST_PRECEDENCE + 2;

    @Bean
    @ConditionalOnBean(Tracer.class)
    FilterRegistrationBean<SpanJoinFilter> spanJoinFilter(Tracer tracer) {
        return TraceBeans.registration(new SpanJoinFilter(tracer), AFTER_OBSERVATION);
    }
}
