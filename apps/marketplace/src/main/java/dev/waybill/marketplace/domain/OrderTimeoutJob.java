package dev.waybill.marketplace.domain;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The fallback behind the time-out's messages: scans for overdue orders and closes each in a transaction of its own, so that
 * no order stays pending because the broker is away. Any number of processes may scan at once.
 */
public final class OrderTimeoutJob implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(OrderTimeoutJob.class);
    private static final long STOP_SECONDS = 10;

    private final Timeouts timeouts;
    private final TimeoutSettings.Job settings;
    private @Nullable ScheduledExecutorService thread;

    public OrderTimeoutJob(Timeouts timeouts, TimeoutSettings.Job settings) {
        this.timeouts = timeouts;
        this.settings = settings;
    }

    /** One pass over everything that is overdue now; returns how many orders it closed. */
    public int scan() {
        int closed = 0;
        long after = 0;
        List<Long> overdue = timeouts.overdue(after, settings.batch());
        while (!overdue.isEmpty() && !Thread.currentThread().isInterrupted()) {
            for (long id : overdue) {
                closed += close(id) ? 1 : 0;
                after = id;
            }
            overdue = timeouts.overdue(after, settings.batch());
        }
        return closed;
    }

    /** One order's trouble is not the next one's: it is tried again with the next scan. */
    private boolean close(long id) {
        try {
            boolean closed = timeouts.closeNow(id) instanceof Timeouts.Outcome.Closed;
            if (closed) {
                log.info("[OrderTimeoutJob] closed orderId={}", id);
            }
            return closed;
        } catch (RuntimeException e) {
            log.warn("[OrderTimeoutJob] not closed, tried again in {} orderId={}", settings.interval(), id, e);
            return false;
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a pass never throws
    public synchronized void start() {
        if (thread != null || !settings.enabled()) {
            return;
        }
        ScheduledExecutorService fresh = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread worker = new Thread(task, "order-timeout-job");
            worker.setDaemon(true);
            return worker;
        });
        fresh.scheduleWithFixedDelay(this::pass, 0, settings.interval().toMillis(), TimeUnit.MILLISECONDS);
        thread = fresh;
    }

    private void pass() {
        try {
            scan();
        } catch (RuntimeException e) {
            log.warn("[OrderTimeoutJob] scan failed, the next one starts in {}", settings.interval(), e);
        }
    }

    @Override
    public synchronized void stop() {
        ScheduledExecutorService running = thread;
        thread = null;
        if (running == null) {
            return;
        }
        running.shutdown();
        try {
            if (!running.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                running.shutdownNow();
                log.warn("[OrderTimeoutJob] did not stop within {} s", STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }
}
