package dev.waybill.servicekit;

import dev.waybill.starter.StartUpException;
import java.util.List;
import org.springframework.core.env.Environment;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Refuses a start whose settings leave a user or a password to the environment, which does not have it. Spring would send the
 * placeholder itself as the user's name, and the server's refusal would not say which variable is missing.
 */
final class CredentialsCheck {

    private static final List<String> OF_DATABASE = List.of("spring.datasource.username", "spring.datasource.password");
    private static final List<String> OF_RABBITMQ = List.of("spring.rabbitmq.username", "spring.rabbitmq.password");

    private CredentialsCheck() {}

    static void check(Environment settings) {
        OF_DATABASE.forEach(property -> check(settings, property));
        if ("rabbitmq".equalsIgnoreCase(settings.getProperty("waybill.broker"))) {
            OF_RABBITMQ.forEach(property -> check(settings, property));
        }
    }

    private static void check(Environment settings, String property) {
        try {
            settings.getProperty(property);
        } catch (PlaceholderResolutionException e) {
            throw new StartUpException(
                    property,
                    property + " is left to " + e.getPlaceholder() + ", which nobody has set.",
                    "Set " + e.getPlaceholder() + ", or " + property + ".",
                    e);
        }
    }
}
