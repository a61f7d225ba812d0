package dev.waybill.starter;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Refuses event types and queue names as property keys without brackets. Spring Boot drops underscores and the like from such a
 * key: the route of ORDER_CREATED would silently become one of ORDERCREATED, and the event DEAD; a queue's name would also end
 * at its first dot.
 */
final class EventTypeKeyValidator {

    private static final List<Pattern> KEYS = List.of(
            Pattern.compile("(waybill\\.routes\\.)([^\\[.]+)(\\..+)"),
            Pattern.compile("(waybill\\.retry\\.types\\.)([^\\[.]+)(\\..+)"),
            Pattern.compile(
                    "(waybill\\.rabbitmq\\.dead-letters-of\\.)([^\\[]+)(\\.(?:queue|exchange|routing-key|by))"));
    private static final Pattern UNCHANGED = Pattern.compile("[A-Za-z0-9-]+");

    private EventTypeKeyValidator() {}

    static void check(ConfigurableEnvironment environment) {
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> listed
                    && !(source instanceof SystemEnvironmentPropertySource)) {
                for (String name : listed.getPropertyNames()) {
                    check(name);
                }
            }
        }
    }

    private static void check(String name) {
        for (Pattern key : KEYS) {
            Matcher parts = key.matcher(name);
            if (parts.matches() && !UNCHANGED.matcher(parts.group(2)).matches()) {
                String bracketed = parts.group(1) + "[" + parts.group(2) + "]" + parts.group(3);
                throw new StartUpException(
                        name,
                        "The property " + name + " would lose characters of its key.",
                        "Write it as " + bracketed + " (in YAML: \"[" + parts.group(2) + "]\" with quotes).",
                        null);
            }
        }
    }
}
