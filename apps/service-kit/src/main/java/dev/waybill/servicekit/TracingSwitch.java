package dev.waybill.servicekit;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;

/**
 * Leaves OpenTelemetry out of a service that sends its traces nowhere. Boot would make spans all the same, and threads that
 * export none of them.
 */
final class TracingSwitch implements AutoConfigurationImportFilter, EnvironmentAware {

    /** Where traces go: Boot's own property. */
    static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";

    private static final String SDK = "org.springframework.boot.opentelemetry.";
    private static final String TRACER = "org.springframework.boot.micrometer.tracing.opentelemetry.";

    private boolean on;

    @Override
    public void setEnvironment(Environment environment) {
        on = environment.containsProperty(ENDPOINT);
    }

    @Override
    public boolean[] match(@Nullable String[] candidates, AutoConfigurationMetadata metadata) {
        boolean[] stays = new boolean[candidates.length];
        for (int i = 0; i < candidates.length; i++) {
            String candidate = candidates[i];
            stays[i] = on || candidate == null || !(candidate.startsWith(SDK) || candidate.startsWith(TRACER));
        }
        return stays;
    }
}
