package dev.waybill.starter.observability;

import dev.waybill.starter.broker.RabbitMqManagement;
import dev.waybill.starter.broker.RabbitMqManagement.BrokerState;
import dev.waybill.starter.broker.RabbitMqManagement.QueueState;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** RabbitMQ's own figures, as gauges over the last answer of its management interface. A queue that does not exist is NaN. */
final class RabbitMqGauges {

    private RabbitMqGauges() {}

    static BackgroundReading<?> of(RabbitMqManagement management, Set<String> queues, MeterRegistry registry) {
        BackgroundReading<BrokerState> reading =
                new BackgroundReading<>("rabbitmq", () -> management.read(queues), registry, System::nanoTime);
        WaybillMeter.RABBITMQ_MEMORY_ALARMS.gauge(registry, reading, it -> it.show(BrokerState::memoryAlarms));
        WaybillMeter.RABBITMQ_DISK_ALARMS.gauge(registry, reading, it -> it.show(BrokerState::diskAlarms));
        for (String queue : queues) {
            queue(WaybillMeter.RABBITMQ_QUEUE_READY, registry, reading, queue, QueueState::ready);
            queue(WaybillMeter.RABBITMQ_QUEUE_UNACKED, registry, reading, queue, QueueState::unacknowledged);
            queue(WaybillMeter.RABBITMQ_QUEUE_RETRYING, registry, reading, queue, QueueState::retrying);
            queue(WaybillMeter.RABBITMQ_QUEUE_CONSUMERS, registry, reading, queue, QueueState::consumers);
        }
        return reading;
    }

    private static void queue(
            WaybillMeter meter,
            MeterRegistry registry,
            BackgroundReading<BrokerState> reading,
            String queue,
            ToDoubleFunction<QueueState> value) {
        meter.gauge(
                registry,
                reading,
                it -> it.show(state -> {
                    QueueState told = state.queues().get(queue);
                    return told == null ? Double.NaN : value.applyAsDouble(told);
                }),
                queue);
    }
}
