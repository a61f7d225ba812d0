package dev.waybill.inventory.api;

import dev.waybill.servicekit.AccessRules;
import dev.waybill.servicekit.Roles;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.servers.Server;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Who may do what, and what the OpenAPI page says about the service as a whole. */
@Configuration(proxyBeanMethods = false)
@OpenAPIDefinition(
        info = @Info(title = "Inventory service", version = "1", description = """
                                Takes goods in, reserves stock for orders, and gives it back when they are canceled.

                                Orders come and are answered by events, not over HTTP. Every answer is \
                                `{code, message, data, traceId}`, `00000` for success; messages follow `Accept-Language`."""),
        servers = @Server(url = "/", description = "this service"))
class ApiConfiguration {

    /** Goods are an operator's business, and so are others' orders; a user asks the order service. Everybody sees the stock. */
    @Bean
    AccessRules accessRules() {
        return requests -> requests.requestMatchers("/inventory/receive", "/reservations/**")
                .hasRole(Roles.OPERATOR);
    }
}
