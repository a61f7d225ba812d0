package dev.waybill.order.api;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.servers.Server;
import org.springframework.context.annotation.Configuration;

/** What the OpenAPI page says about the service as a whole. */
@Configuration(proxyBeanMethods = false)
@OpenAPIDefinition(
        info = @Info(title = "Order service", version = "1", description = """
                                Takes orders, asks the inventory for their stock by events, and cancels them.

                                An order is `CREATED`, then `STOCK_RESERVED` or `STOCK_FAILED`; it can be canceled until it failed. \
                                Every answer is `{code, message, data, traceId}`, `00000` for success; messages follow \
                                `Accept-Language`."""),
        servers = @Server(url = "/", description = "this service"))
class OpenApiConfiguration {}
