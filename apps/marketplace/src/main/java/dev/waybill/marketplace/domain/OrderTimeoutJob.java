package dev.waybill.marketplace.domain;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Scans for overdue orders and closes each in a transaction of its own. It is the fallback behind the time-out's messages: no
 * order stays pending because the broker is away. Any number of processes may scan at once.
 */
@Component
public class OrderTimeoutJob {

    private static final Logger log = LoggerFactory.getLogger(OrderTimeoutJob.class);

    private final OrderTimeoutService timeouts;
    private final TimeoutSettings.Job settings;

    OrderTimeoutJob(OrderTimeoutService timeouts, TimeoutSettings settings) {
        this.timeouts = timeouts;
        this.settings = settings.job();
    }

    /** The first scan comes at once, so that orders which became overdue while no process ran are closed. */
    @Scheduled(fixedDelayString = "${order.timeout.job.interval:30s}")
    void scanIfEnabled() {
        if (settings.enabled()) {
            scan();
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
            boolean closed = timeouts.closeNow(id) == OrderTimeoutService.Outcome.CLOSED;
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
