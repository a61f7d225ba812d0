package dev.waybill.rabbitmq;

import dev.waybill.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A subscription that may start and stop many times; each run has a crew of its own. */
final class RabbitMqSubscription implements Lifecycle {

    private final Supplier<ConsumerWorkers> crews;
    private @Nullable ConsumerWorkers crew;

    RabbitMqSubscription(Supplier<ConsumerWorkers> crews) {
        this.crews = crews;
    }

    @Override
    public synchronized void start() {
        if (crew == null) {
            ConsumerWorkers fresh = crews.get();
            fresh.start();
            crew = fresh;
        }
    }

    @Override
    public synchronized boolean stop(Duration deadline) {
        ConsumerWorkers running = crew;
        crew = null;
        return running == null || running.stop(deadline);
    }

    @Override
    public synchronized boolean isRunning() {
        return crew != null;
    }
}
