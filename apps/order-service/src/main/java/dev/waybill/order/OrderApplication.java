package dev.waybill.order;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * Runs with nothing installed: H2 in a folder, broker and guards inside the process. The profile {@code real} runs the same
 * on MariaDB or MySQL, Redis and RocketMQ.
 *
 * <p>Nothing is static, so that several services, or several of this one, can share a JVM. What a context brings itself, such
 * as a {@code MemoryBroker}, is used instead of the service's own.
 */
@SpringBootApplication
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
}
