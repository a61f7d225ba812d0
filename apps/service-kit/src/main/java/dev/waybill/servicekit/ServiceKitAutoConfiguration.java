package dev.waybill.servicekit;

import java.time.Clock;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.env.Environment;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.scheduling.annotation.EnableScheduling;

/**
 * The clock, Waybill's tables, the answers to a failing outbox, and that {@link RetriedTransaction} and {@code @Scheduled} work.
 * Who may do what is in {@code access}.
 */
@AutoConfiguration(before = FlywayAutoConfiguration.class)
@EnableResilientMethods
@EnableScheduling
class ServiceKitAutoConfiguration {

    /** The service's only source of time; a test replaces it by a bean of its own. */
    @Bean
    @Fallback
    Clock clock() {
        return Clock.systemUTC();
    }

    /** Before any other bean is made, so that the sentence about a missing one is the first that is read. */
    @Bean
    static BeanFactoryPostProcessor credentialsCheck(Environment settings) {
        return beans -> CredentialsCheck.check(settings);
    }

    @Bean
    WaybillTables waybillTables(Environment settings) {
        return new WaybillTables(settings);
    }

    @Bean
    AlertTable alertTable() {
        return new AlertTable();
    }

    @Bean
    AdminTables adminTables() {
        return new AdminTables();
    }

    @Bean
    OutboxExceptionHandler outboxExceptionHandler() {
        return new OutboxExceptionHandler();
    }
}
