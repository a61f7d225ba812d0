package dev.waybill.starter.observability;

import dev.waybill.rocketmq.RocketMqFigures;
import dev.waybill.rocketmq.RocketMqFigures.Brokers;
import dev.waybill.rocketmq.RocketMqFigures.Consumption;
import dev.waybill.rocketmq.RocketMqTransport;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** RocketMQ's own figures, as gauges over the brokers' last answers. A group that a broker does not know yet is NaN. */
final class RocketMqGauges {

    private RocketMqGauges() {}

    static BackgroundReading<?> of(
            RocketMqTransport transport, Set<Consumption> consumptions, Duration timeout, MeterRegistry registry) {
        BackgroundReading<RocketMqFigures> reading = new BackgroundReading<>(
                "rocketmq", () -> transport.figures(consumptions, timeout), registry, System::nanoTime);
        brokers(WaybillMeter.ROCKETMQ_DISK_RATIO, registry, reading, Brokers::diskRatio);
        brokers(WaybillMeter.ROCKETMQ_FLUSH_BEHIND, registry, reading, Brokers::flushBehind);
        brokers(WaybillMeter.ROCKETMQ_REPLICA_BEHIND, registry, reading, Brokers::replicaBehind);
        brokers(WaybillMeter.ROCKETMQ_DELAYED, registry, reading, Brokers::delayed);
        for (Consumption consumption : consumptions) {
            WaybillMeter.ROCKETMQ_GROUP_LAG.gauge(
                    registry,
                    reading,
                    it -> it.show(figures -> orNaN(figures.lag().get(consumption))),
                    consumption.group(),
                    consumption.topic());
            WaybillMeter.ROCKETMQ_GROUP_RETRYING.gauge(
                    registry,
                    reading,
                    it -> it.show(figures -> orNaN(figures.retrying().get(consumption.group()))),
                    consumption.group());
        }
        return reading;
    }

    private static void brokers(
            WaybillMeter meter,
            MeterRegistry registry,
            BackgroundReading<RocketMqFigures> reading,
            ToDoubleFunction<Brokers> figure) {
        meter.gauge(registry, reading, it -> it.show(figures -> figure.applyAsDouble(figures.brokers())));
    }

    private static double orNaN(@Nullable Long figure) {
        return figure == null ? Double.NaN : figure;
    }
}
