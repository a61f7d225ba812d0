package dev.waybill.marketplace.api;

import dev.waybill.servicekit.AccessRules;
import dev.waybill.servicekit.Roles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;

/** Who may call which path. Whose order or user it is, the controllers ask. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {

    @Bean
    AccessRules accessRules() {
        return requests -> requests.requestMatchers(HttpMethod.GET, "/products/**")
                .permitAll()
                .requestMatchers("/dead-letters/**")
                .hasRole(Roles.OPERATOR);
    }
}
