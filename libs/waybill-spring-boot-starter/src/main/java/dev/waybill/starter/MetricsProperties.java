package dev.waybill.starter;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Metrics, where the application has a MeterRegistry.
 *
 * @param refresh Pause between two looks at what the tables and the broker hold, at least 2s; longer by itself while a look takes
 *     long. 0 looks at neither.
 */
public record MetricsProperties(@DefaultValue("10s") Duration refresh) {

    private static final String PROPERTY = "waybill.metrics.refresh";

    /** Seven statements at most for each look, so that there are never more than five a second. */
    private static final Duration SHORTEST = Duration.ofSeconds(2);

    /** The pause, or a refusal of one that would read too often. */
    public Duration checkedRefresh() {
        if (!refresh.isZero() && refresh.compareTo(SHORTEST) < 0) {
            throw new StartUpException(
                    PROPERTY,
                    PROPERTY + "=" + refresh
                            + " cannot be used: more than five statements a second would read the tables.",
                    "Set " + PROPERTY + " to 2s or more, or to 0 to read no table.",
                    null);
        }
        return refresh;
    }
}
