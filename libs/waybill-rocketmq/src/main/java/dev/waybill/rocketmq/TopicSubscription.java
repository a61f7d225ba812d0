package dev.waybill.rocketmq;

import dev.waybill.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A subscription that may start and stop many times; each run has a consumer of its own. */
final class TopicSubscription implements Lifecycle {

    private final Supplier<Run> runs;
    private @Nullable Run run;

    TopicSubscription(Supplier<Run> runs) {
        this.runs = runs;
    }

    @Override
    public synchronized void start() {
        if (run == null) {
            Run fresh = runs.get();
            fresh.start();
            run = fresh;
        }
    }

    @Override
    public synchronized boolean stop(Duration deadline) {
        Run running = run;
        run = null;
        return running == null || running.stop(deadline);
    }

    @Override
    public synchronized boolean isRunning() {
        return run != null;
    }
}
