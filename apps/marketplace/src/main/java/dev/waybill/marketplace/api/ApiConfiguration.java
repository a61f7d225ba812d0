package dev.waybill.marketplace.api;

import dev.waybill.servicekit.AccessRules;
import dev.waybill.servicekit.Roles;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.servers.Server;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;

/** Who may do what, and what the OpenAPI page says about the service as a whole. */
@Configuration(proxyBeanMethods = false)
@OpenAPIDefinition(
        info = @Info(title = "Marketplace", version = "1", description = """
                                Second-hand goods: one product, one buyer.

                                An order is `pending`, then `paid`, `shipped`, `completed`; until it is paid it can be cancelled, \
                                and is, when nobody pays in time. Dead letters need an operator. Every answer is \
                                `{code, message, data, traceId}`, `00000` for success; messages follow `Accept-Language`."""),
        servers = @Server(url = "/", description = "this service"))
class ApiConfiguration {

    /** By path. Whose order or user it is, the controllers ask. */
    @Bean
    AccessRules accessRules() {
        return requests -> requests.requestMatchers(HttpMethod.GET, "/products/**")
                .permitAll()
                .requestMatchers("/dead-letters/**")
                .hasRole(Roles.OPERATOR);
    }
}
