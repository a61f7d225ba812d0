package dev.waybill.order;

import dev.waybill.servicekit.SerialNumbers;
import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.servers.Server;
import java.time.Clock;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/**
 * Runs with nothing installed: H2 in a folder, broker and guards inside the process. The profile {@code real} runs the same
 * on MariaDB or MySQL, Redis and RocketMQ.
 *
 * <p>Nothing is static, so that several services, or several of this one, can share a JVM. What a context brings itself, such
 * as a {@code MemoryBroker}, is used instead of the service's own.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@OpenAPIDefinition(
        info = @Info(title = "Order service", version = "1", description = """
                                Takes orders, asks the inventory for their stock by events, and cancels them.

                                An order is `CREATED`, then `STOCK_RESERVED` or `STOCK_FAILED`; it can be canceled until it failed. \
                                Every answer is `{code, message, data, traceId}`, `00000` for success; messages follow \
                                `Accept-Language`."""),
        servers = @Server(url = "/", description = "this service"))
public class OrderApplication {

    public static void main(String[] arguments) {
        application().run(arguments);
    }

    /** The service, ready to run; its settings are in {@code order-service.yaml}, so that services can share a class path. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(OrderApplication.class)
                .main(OrderApplication.class)
                .properties("spring.config.name=order-service");
    }

    @Bean
    SerialNumbers orderNumbers(Clock clock) {
        return new SerialNumbers("ORD", 7, clock);
    }
}
