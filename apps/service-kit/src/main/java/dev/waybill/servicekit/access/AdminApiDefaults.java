package dev.waybill.servicekit.access;

import dev.waybill.servicekit.Roles;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** A service that knows its callers has Waybill's admin API, for operators; an open one has none. Any setting of the service wins. */
final class AdminApiDefaults implements EnvironmentPostProcessor {

    private static final Map<String, Object> FOR_OPERATORS = Map.of(
            "waybill.admin.enabled", "true",
            "waybill.admin.viewer-authorities", "",
            "waybill.admin.operator-authorities", "ROLE_" + Roles.OPERATOR);

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (AccessMode.knowsCallers(environment)) {
            environment.getPropertySources().addLast(new MapPropertySource("waybillAdminApiDefaults", FOR_OPERATORS));
        }
    }
}
