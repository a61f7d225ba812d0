package dev.waybill.inventory;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/**
 * Runs with nothing installed: H2, the broker and the stock gate inside the process. {@code --spring.profiles.active=real}
 * runs it on MariaDB or MySQL, Redis and RocketMQ.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class InventoryApplication {

    public static void main(String[] arguments) {
        application().run(arguments);
    }

    /** The service, ready to run; its settings are in {@code inventory-service.yaml}, so that services can share a class path. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(InventoryApplication.class)
                .properties("spring.config.name=inventory-service");
    }
}
