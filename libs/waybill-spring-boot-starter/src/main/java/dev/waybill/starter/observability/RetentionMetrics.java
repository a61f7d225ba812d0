package dev.waybill.starter.observability;

import dev.waybill.starter.retention.SweepListener;
import io.micrometer.core.instrument.MeterRegistry;

/** What was deleted because it was old, under {@code waybill.retention}. The kinds of rows are the few that there are sweeps for. */
final class RetentionMetrics implements SweepListener {

    private final MeterRegistry registry;

    RetentionMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void scheduled(String rows) {
        WaybillMeter.RETENTION_DELETED.counter(registry, rows);
        WaybillMeter.RETENTION_FAILED.counter(registry, rows);
    }

    @Override
    public void swept(String rows, int deleted) {
        WaybillMeter.RETENTION_DELETED.counter(registry, rows).increment(deleted);
    }

    @Override
    public void failed(String rows) {
        WaybillMeter.RETENTION_FAILED.counter(registry, rows).increment();
    }
}
