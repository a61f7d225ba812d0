package dev.waybill.memory;

import dev.waybill.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A subscription that may start and stop many times; each run has a crew of its own. */
final class MemorySubscription implements Lifecycle {

    private final Supplier<MemoryConsumer> crews;
    private @Nullable MemoryConsumer crew;

    MemorySubscription(Supplier<MemoryConsumer> crews) {
        this.crews = crews;
    }

    @Override
    public synchronized void start() {
        if (crew == null) {
            MemoryConsumer fresh = crews.get();
            fresh.start();
            crew = fresh;
        }
    }

    @Override
    public synchronized boolean stop(Duration deadline) {
        MemoryConsumer running = crew;
        crew = null;
        return running == null || running.stop(deadline);
    }

    @Override
    public synchronized boolean isRunning() {
        return crew != null;
    }
}
