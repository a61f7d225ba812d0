package dev.waybill.rocketmq;

import dev.waybill.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A subscription that may start and stop many times; each run has a consumer of its own. */
final class RocketMqSubscription implements Lifecycle {

    private final Supplier<RocketMqConsumer> runs;
    private @Nullable RocketMqConsumer run;

    RocketMqSubscription(Supplier<RocketMqConsumer> runs) {
        this.runs = runs;
    }

    @Override
    public synchronized void start() {
        if (run == null) {
            RocketMqConsumer fresh = runs.get();
            fresh.start();
            run = fresh;
        }
    }

    @Override
    public synchronized boolean stop(Duration deadline) {
        RocketMqConsumer running = run;
        run = null;
        return running == null || running.stop(deadline);
    }

    @Override
    public synchronized boolean isRunning() {
        return run != null;
    }
}
