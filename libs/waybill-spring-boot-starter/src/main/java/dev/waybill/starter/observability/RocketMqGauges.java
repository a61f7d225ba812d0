package dev.waybill.starter.observability;

import dev.waybill.rocketmq.RocketMqFigures;
import dev.waybill.rocketmq.RocketMqFigures.Consumption;
import dev.waybill.rocketmq.RocketMqTransport;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Set;

/** RocketMQ's own figures, as gauges over the brokers' last answers. A group that a broker does not know yet is NaN. */
final class RocketMqGauges {

    private RocketMqGauges() {}

    static BackgroundReading<?> of(
            RocketMqTransport transport, Set<Consumption> consumptions, Duration timeout, MeterRegistry registry) {
        BackgroundReading<RocketMqFigures> reading = new BackgroundReading<>(
                "rocketmq", () -> transport.figures(consumptions, timeout), registry, System::nanoTime);
        WaybillMeter.ROCKETMQ_DISK_RATIO.gauge(registry, reading, it -> it.show(RocketMqFigures::diskRatio));
        for (Consumption consumption : consumptions) {
            WaybillMeter.ROCKETMQ_GROUP_LAG.gauge(
                    registry,
                    reading,
                    it -> it.show(figures -> {
                        Long lag = figures.lag().get(consumption);
                        return lag == null ? Double.NaN : lag;
                    }),
                    consumption.group(),
                    consumption.topic());
        }
        return reading;
    }
}
