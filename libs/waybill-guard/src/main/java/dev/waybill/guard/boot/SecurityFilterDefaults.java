package dev.waybill.guard.boot;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Lets the container tell a refused caller why. Spring Security's filters would guard that dispatch too and refuse whoever is
 * unknown a second time, so that a 401 had no body. Only the container makes such a dispatch, no caller can.
 *
 * <p>It is the last of all property sources, so any setting of the service wins.
 */
final class SecurityFilterDefaults implements EnvironmentPostProcessor {

    static final String PROPERTY = "spring.security.filter.dispatcher-types";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "waybillGuardSecurityDefaults", Map.of(PROPERTY, "async,forward,include,request")));
    }
}
