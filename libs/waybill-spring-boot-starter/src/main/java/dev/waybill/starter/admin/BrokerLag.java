package dev.waybill.starter.admin;

import dev.waybill.transport.SubscriptionSpec;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** How many messages wait for a subscription at its broker, as the metrics last heard it. Asks no broker. */
final class BrokerLag {

    private final MeterRegistry registry;

    BrokerLag(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Null where the broker is not asked, or did not answer. */
    @Nullable Long of(SubscriptionSpec spec) {
        Gauge gauge = registry.find("waybill.rocketmq.group.lag")
                .tags("group", spec.group(), "topic", spec.source())
                .gauge();
        if (gauge == null) {
            gauge = registry.find("waybill.rabbitmq.queue.ready")
                    .tags("queue", spec.source())
                    .gauge();
        }
        double waiting = gauge == null ? Double.NaN : gauge.value();
        return Double.isNaN(waiting) ? null : (Long) Math.round(waiting);
    }
}
