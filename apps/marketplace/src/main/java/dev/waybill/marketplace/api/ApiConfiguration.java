package dev.waybill.marketplace.api;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Puts the operator's login in front of what needs it. */
@Configuration(proxyBeanMethods = false)
class ApiConfiguration implements WebMvcConfigurer {

    private final OperatorLogin login;

    ApiConfiguration(OperatorSettings operator) {
        this.login = new OperatorLogin(operator);
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(login);
    }
}
