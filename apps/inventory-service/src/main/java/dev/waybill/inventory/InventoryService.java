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
public class InventoryService {

    public static void main(String[] arguments) {
        application().run(arguments);
    }

    /** The service with the settings of its own file, {@code inventory-service.yml}, whoever starts it. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(InventoryService.class).properties("spring.config.name=inventory-service");
    }
}
