package dev.waybill.starter.inbox;

import dev.waybill.store.InboxStore;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forgets handled events after their retention, in small deletions, now and then. Several processes may do so at once. */
final class InboxSweeper {

    private static final Logger log = LoggerFactory.getLogger(InboxSweeper.class);
    private static final int CHUNK = 500;
    /** Soon after the start, so that a process that is restarted often sweeps too. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    private final InboxStore store;
    private final Duration retention;
    private final Duration interval;
    private @Nullable ScheduledExecutorService timer;

    InboxSweeper(InboxStore store, Duration retention, Duration interval) {
        this.store = store;
        this.retention = retention;
        this.interval = interval;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // sweep() keeps its failures to itself
    synchronized void start() {
        if (timer != null) {
            return;
        }
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "waybill-inbox-sweep");
            thread.setDaemon(true);
            return thread;
        });
        Duration first = interval.compareTo(FIRST) < 0 ? interval : FIRST;
        started.scheduleWithFixedDelay(
                () -> sweep(started), first.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        timer = started;
    }

    synchronized void stop() {
        if (timer != null) {
            timer.shutdownNow();
            timer = null;
        }
    }

    private void sweep(ScheduledExecutorService running) {
        try {
            int swept = 0;
            int chunk = CHUNK;
            while (chunk == CHUNK && !running.isShutdown()) {
                chunk = store.sweep(retention, CHUNK);
                swept += chunk;
            }
            if (swept > 0) {
                log.info("[Inbox] swept rows={} olderThan={}", swept, retention);
            }
        } catch (RuntimeException e) { // the schedule would end for good
            log.warn("[Inbox] A sweep failed; the next is in {}", interval, e);
        }
    }
}
