package dev.waybill.marketplace;

import dev.waybill.servicekit.SerialNumbers;
import java.time.Clock;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/**
 * Runs with nothing installed: H2 in a folder, the broker inside the process. The profile {@code real} runs the same on
 * MariaDB or MySQL and RabbitMQ.
 *
 * <p>Nothing is static, so that several services, or several of this one, can share a JVM. What a context brings itself, such
 * as a {@code MemoryBroker}, is used in place of the service's own.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
public class MarketplaceApplication {

    public static void main(String[] arguments) {
        application().run(arguments);
    }

    /** The service, ready to run; its settings are in {@code marketplace.yaml}, so that services can share a class path. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(MarketplaceApplication.class)
                .main(MarketplaceApplication.class)
                .properties("spring.config.name=marketplace");
    }

    @Bean
    SerialNumbers orderNumbers(Clock clock) {
        return new SerialNumbers("", 4, clock);
    }
}
