package dev.waybill.marketplace.domain;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.FixedDelayTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/**
 * Scans for overdue orders and closes each in a transaction of its own. It is the fallback behind the time-out's messages: no
 * order stays pending because the broker is away. Any number of processes may scan at once.
 */
public final class OrderTimeoutJob implements SchedulingConfigurer {

    private static final Logger log = LoggerFactory.getLogger(OrderTimeoutJob.class);

    private final OrderTimeoutService timeouts;
    private final TimeoutSettings.Job settings;

    public OrderTimeoutJob(OrderTimeoutService timeouts, TimeoutSettings.Job settings) {
        this.timeouts = timeouts;
        this.settings = settings;
    }

    /** The first scan comes at once, so that orders which became overdue while no process ran are closed. */
    @Override
    public void configureTasks(ScheduledTaskRegistrar tasks) {
        if (settings.enabled()) {
            tasks.addFixedDelayTask(new FixedDelayTask(this::scanSafely, settings.interval(), Duration.ZERO));
        }
    }

    private void scanSafely() {
        try {
            scan();
        } catch (RuntimeException e) {
            log.warn("[OrderTimeoutJob] scan failed, the next one starts in {}", settings.interval(), e);
        }
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

    /** A failure concerns this order alone: the scan goes on, and the next one tries the order again. */
    private boolean close(long id) {
        try {
            boolean closed = timeouts.closeNow(id) instanceof OrderTimeoutService.Outcome.Closed;
            if (closed) {
                log.info("[OrderTimeoutJob] closed orderId={}", id);
            }
            return closed;
        } catch (RuntimeException e) {
            log.warn("[OrderTimeoutJob] not closed, tried again in {} orderId={}", settings.interval(), id, e);
            return false;
        }
    }
}
