package dev.waybill.marketplace.messaging;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.TaskScheduler;

/**
 * Declares the topology before the relay sends the first event. While the broker is away the service starts all the same and
 * tries again until the broker is there: orders are taken, and overdue ones closed, meanwhile.
 */
final class TopologyLifecycle implements SmartLifecycle {

    /** Before the relay, which starts 4096 below the default. */
    static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 8192;

    private static final Logger log = LoggerFactory.getLogger(TopologyLifecycle.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final TopologyDeclarer declarer;
    private final Topology topology;
    private final TaskScheduler scheduler;
    private @Nullable ScheduledFuture<?> attempts;
    private volatile boolean running;
    /** The scheduler's thread alone uses it: the same error twice a second is one line in the log. */
    private @Nullable String lastError;

    TopologyLifecycle(TopologyDeclarer declarer, Topology topology, TaskScheduler scheduler) {
        this.declarer = declarer;
        this.topology = topology;
        this.scheduler = scheduler;
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        try {
            declare();
        } catch (IOException | TimeoutException e) {
            log.warn("[Topology] broker away, declares when it is back cause={}", e.toString());
            attempts = scheduler.scheduleWithFixedDelay(
                    this::declareAgain, scheduler.getClock().instant().plus(PAUSE), PAUSE);
        }
    }

    private void declare() throws IOException, TimeoutException {
        declarer.declare(topology);
        log.info(
                "[Topology] declared exchange={} queues={}",
                topology.exchange(),
                topology.queues().size());
    }

    private void declareAgain() {
        try {
            declare();
            endAttempts();
        } catch (IOException | TimeoutException e) {
            log.debug("[Topology] broker still away", e);
        } catch (RuntimeException e) {
            String error = e.toString();
            if (error.equals(lastError)) {
                log.debug("[Topology] declaring failed again", e);
            } else {
                log.warn("[Topology] declaring failed, tried again in {}", PAUSE, e);
                lastError = error;
            }
        }
    }

    private synchronized void endAttempts() {
        if (attempts != null) {
            attempts.cancel(false);
            attempts = null;
        }
    }

    /** An attempt under way ends by its own time-outs; the scheduler waits for it when it stops. */
    @Override
    public synchronized void stop() {
        running = false;
        endAttempts();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
