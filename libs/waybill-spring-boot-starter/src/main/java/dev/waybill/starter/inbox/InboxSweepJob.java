package dev.waybill.starter.inbox;

import dev.waybill.message.LogText;
import dev.waybill.store.InboxStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Deletes handled events after their retention, in small chunks. Several processes may do so at once. The scheduler is the job's
 * own and no bean, so that it neither serves nor replaces the application's.
 */
final class InboxSweepJob {

    private static final Logger log = LoggerFactory.getLogger(InboxSweepJob.class);
    private static final int CHUNK = 500;
    /** Soon after the start, so that a process that is restarted often sweeps too. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    private final InboxStore store;
    private final Duration retention;
    private final Duration interval;
    private @Nullable ThreadPoolTaskScheduler scheduler;

    InboxSweepJob(InboxStore store, Duration retention, Duration interval) {
        this.store = store;
        this.retention = retention;
        this.interval = interval;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the shutdown ends the schedule
    synchronized void start() {
        if (scheduler != null) {
            return;
        }
        ThreadPoolTaskScheduler started = new ThreadPoolTaskScheduler();
        started.setThreadNamePrefix("waybill-inbox-sweep-");
        started.setDaemon(true);
        started.initialize();
        Duration first = interval.compareTo(FIRST) < 0 ? interval : FIRST;
        started.scheduleWithFixedDelay(this::sweep, started.getClock().instant().plus(first), interval);
        scheduler = started;
    }

    /** A sweep under way is interrupted, or ends after its chunk where the driver does not care. */
    synchronized void stop() {
        if (scheduler != null) {
            scheduler.shutdown();
            scheduler = null;
        }
    }

    private synchronized boolean isRunning() {
        return scheduler != null;
    }

    private void sweep() {
        try {
            int swept = 0;
            int chunk = CHUNK;
            while (chunk == CHUNK && isRunning()) {
                chunk = store.sweep(retention, CHUNK);
                swept += chunk;
            }
            if (swept > 0) {
                log.info("[Inbox] swept rows={} olderThan={}", swept, retention);
            }
        } catch (RuntimeException e) {
            log.warn("[Inbox] A sweep failed; the next is in {}", interval, LogText.thrown(e));
        }
    }
}
