package dev.waybill.guard.boot;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.config.annotation.AsyncSupportConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** The trace of every request, and how it gets to other threads, to other services and to Micrometer Tracing. */
@Configuration(proxyBeanMethods = false)
class TraceBeans {

    /** Boot's observation filter is at highest precedence + 1: the trace has its id before that filter opens a span. */
    private static final int BEFORE_OBSERVATION = Ordered.HIGHEST_PRECEDENCE;

    @Bean
    TraceIdGenerator traceIds(Environment environment) {
        return TraceIdGenerator.random(
                environment.getProperty("management.tracing.sampling.probability", Double.class, 0.1));
    }

    @Bean
    FilterRegistrationBean<TraceFilter> traceFilter(TraceIdGenerator ids) {
        return registration(new TraceFilter(ids), BEFORE_OBSERVATION);
    }

    @Bean
    @Order(0)
    TracePropagator tracePropagator() {
        return new TracePropagator();
    }

    @Bean
    WebMvcConfigurer traceOfCallables(TracePropagator propagator) {
        return new WebMvcConfigurer() {
            @Override
            public void configureAsyncSupport(AsyncSupportConfigurer async) {
                async.registerCallableInterceptors(propagator);
            }
        };
    }

    static <F extends Filter> FilterRegistrationBean<F> registration(F filter, int order) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        return registration;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClientCustomizer.class)
    static class WithRestClient {

        @Bean
        RestClientCustomizer traceHeaders() {
            return builder -> builder.requestInterceptor(new TraceHeaderInterceptor());
        }
    }
}
