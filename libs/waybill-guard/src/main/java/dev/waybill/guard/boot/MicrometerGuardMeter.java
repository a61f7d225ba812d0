package dev.waybill.guard.boot;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts in a Micrometer registry. */
final class MicrometerGuardMeter implements GuardMeter {

    private record Id(GuardMetric metric, String subject, String outcome) {}

    private final MeterRegistry registry;
    private final Map<Id, Counter> counters = new ConcurrentHashMap<>();

    MicrometerGuardMeter(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void count(GuardMetric metric, String subject, String outcome) {
        counters.computeIfAbsent(new Id(metric, subject, outcome), this::register)
                .increment();
    }

    private Counter register(Id id) {
        return Counter.builder(id.metric.text())
                .tag(id.metric.tag(), id.subject)
                .tag("outcome", id.outcome)
                .register(registry);
    }
}
