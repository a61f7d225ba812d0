package dev.waybill.starter.broker;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/** Where a setting was written: the property, and the file and line or the source that has it. Never its value. */
final class SettingOrigin {

    private SettingOrigin() {}

    /** The first of these properties that is set. */
    static Optional<String> of(Environment environment, List<String> properties) {
        return properties.stream()
                .flatMap(property -> of(environment, property).stream())
                .findFirst();
    }

    private static Optional<String> of(Environment environment, String property) {
        ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            ConfigurationProperty found = source.getConfigurationProperty(name);
            if (found != null) {
                return Optional.of(property + place(found));
            }
            if (source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT) {
                return Optional.of(property);
            }
        }
        return Optional.empty();
    }

    private static String place(ConfigurationProperty found) {
        @Nullable Object origin = found.getOrigin();
        return origin == null ? "" : " (" + origin + ")";
    }
}
