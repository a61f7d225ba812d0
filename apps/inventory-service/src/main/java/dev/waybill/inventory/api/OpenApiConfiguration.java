package dev.waybill.inventory.api;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.servers.Server;
import org.springframework.context.annotation.Configuration;

/** What the OpenAPI page says about the service as a whole. */
@Configuration(proxyBeanMethods = false)
@OpenAPIDefinition(
        info = @Info(title = "Inventory service", version = "1", description = """
                                Takes goods in, reserves stock for orders, and gives it back when they are canceled.

                                Orders come and are answered by events, not over HTTP. Every answer is \
                                `{code, message, data, traceId}`, `00000` for success; messages follow `Accept-Language`."""),
        servers = @Server(url = "/", description = "this service"))
class OpenApiConfiguration {}
