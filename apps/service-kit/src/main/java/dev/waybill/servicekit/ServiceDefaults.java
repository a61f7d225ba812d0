package dev.waybill.servicekit;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * What holds for a service that says nothing else. It is the last of all property sources, so any setting of the service wins.
 *
 * <p>Only this machine reaches it. Health and metrics are there, and the metrics carry the service's name. Its broker's health is told by Waybill's relay and inbox: Spring's own look at RabbitMQ
 * would ask for one at localhost, in services that have none but share a class path with one that does. MariaDB's driver warns
 * of every duplicate key, and a repeated delivery or request is one.
 */
final class ServiceDefaults implements EnvironmentPostProcessor {

    private static final Map<String, Object> DEFAULTS = Map.of(
            "server.address", "127.0.0.1",
            "management.endpoints.web.exposure.include", "health, info, prometheus",
            "management.metrics.tags.application", "${spring.application.name:service}",
            "management.health.rabbit.enabled", "false",
            "logging.level.org.mariadb.jdbc.message.server.ErrorPacket", "error");

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        environment.getPropertySources().addLast(new MapPropertySource("waybillServiceDefaults", DEFAULTS));
    }
}
