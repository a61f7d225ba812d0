package dev.waybill.guard.boot;

import jakarta.servlet.DispatcherType;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.accept.ContentNegotiationManager;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** The beans that settle form and language of an answer before a handler runs. */
@Configuration(proxyBeanMethods = false)
class NegotiationBeans {

    /** Behind the trace filter and Boot's observation, in front of everything that reads the request. */
    private static final int FILTER_ORDER = Ordered.HIGHEST_PRECEDENCE + 2;

    @Bean
    FilterRegistrationBean<RequestCheckFilter> requestCheckFilter(AnswerFactory answers) {
        FilterRegistrationBean<RequestCheckFilter> registration =
                new FilterRegistrationBean<>(new RequestCheckFilter(answers));
        registration.setOrder(FILTER_ORDER);
        return registration;
    }

    @Bean
    FilterRegistrationBean<ErrorDispatchFilter> errorDispatchFilter() {
        FilterRegistrationBean<ErrorDispatchFilter> registration =
                new FilterRegistrationBean<>(new ErrorDispatchFilter());
        registration.setDispatcherTypes(DispatcherType.ERROR);
        registration.setOrder(FILTER_ORDER);
        return registration;
    }

    @Bean
    WebMvcConfigurer negotiationFirst(
            @Qualifier("mvcContentNegotiationManager") ObjectProvider<ContentNegotiationManager> manager,
            @Qualifier("requestMappingHandlerAdapter") ObjectProvider<RequestMappingHandlerAdapter> adapter,
            AnswerFactory answers) {
        ProducibleTypes producible =
                new ProducibleTypes(() -> adapter.getObject().getMessageConverters());
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(new NegotiationInterceptor(manager.getObject(), producible, answers))
                        .order(Ordered.HIGHEST_PRECEDENCE);
            }
        };
    }

    @Bean
    FailureNegotiation failureNegotiation() {
        return new FailureNegotiation();
    }

    @Bean
    SmartInitializingSingleton corsRefusalsInShape(
            ObjectProvider<AbstractHandlerMapping> mappings, AnswerFactory answers) {
        return () -> mappings.stream()
                .filter(mapping -> mapping.getCorsProcessor().getClass() == DefaultCorsProcessor.class)
                .forEach(mapping -> mapping.setCorsProcessor(new AnsweringCorsProcessor(answers)));
    }
}
