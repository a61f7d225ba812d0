package dev.waybill.starter.inbox.warehouse;

import dev.waybill.outbox.Outbox;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** The warehouse as an application: everything else is auto-configuration. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class WarehouseConfiguration {

    @Bean
    Attempts attempts() {
        return new Attempts();
    }

    @Bean
    Stock stock(JdbcTemplate jdbc, Outbox outbox, Attempts attempts) {
        return new Stock(jdbc, outbox, attempts);
    }

    @Bean
    Shipping shipping(JdbcTemplate jdbc) {
        return new Shipping(jdbc);
    }

    @Bean
    MeterRegistry meters() {
        return new SimpleMeterRegistry();
    }
}
