package dev.waybill.starter.retention;

import dev.waybill.message.LogText;
import dev.waybill.store.SweepPace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Deletes old rows in small chunks. Several processes may do so at once. It starts after the relay and the listeners, which
 * check the tables, and stops before them. The scheduler is the job's own and no bean, so that it neither serves nor replaces
 * the application's.
 */
final class RetentionJob implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(RetentionJob.class);
    /** Soon after the start, so that a process that is restarted often sweeps too. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    private final Supplier<List<Sweep>> sweeps;
    private final SweepListener listener;
    private @Nullable ThreadPoolTaskScheduler scheduler;
    private CountDownLatch stopped = new CountDownLatch(0);

    /** @param sweeps asked at each start, because it depends on what was started before */
    RetentionJob(Supplier<List<Sweep>> sweeps, SweepListener listener) {
        this.sweeps = sweeps;
        this.listener = listener;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the shutdown ends the schedule
    public synchronized void start() {
        if (scheduler != null) {
            return;
        }
        stopped = new CountDownLatch(1);
        ThreadPoolTaskScheduler started = new ThreadPoolTaskScheduler();
        started.setThreadNamePrefix("waybill-retention-");
        started.setDaemon(true);
        started.initialize();
        for (Sweep sweep : sweeps.get()) {
            listener.scheduled(sweep.rows());
            Duration first = sweep.interval().compareTo(FIRST) < 0 ? sweep.interval() : FIRST;
            started.scheduleWithFixedDelay(
                    () -> sweep(sweep), started.getClock().instant().plus(first), sweep.interval());
        }
        scheduler = started;
    }

    /** A sweep under way is interrupted, or ends after its chunk where the driver does not care. */
    @Override
    public synchronized void stop() {
        stopped.countDown();
        if (scheduler != null) {
            scheduler.shutdown();
            scheduler = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return scheduler != null;
    }

    private synchronized CountDownLatch stopSignal() {
        return stopped;
    }

    private void sweep(Sweep sweep) {
        CountDownLatch stop = stopSignal();
        int deleted = 0;
        try {
            SweepPace pace = new SweepPace();
            boolean more = true;
            while (more) {
                int chunk = pace.chunk();
                long begun = System.nanoTime();
                int found = sweep.delete(chunk);
                deleted += found;
                listener.swept(sweep.rows(), found);
                Duration wait = pace.after(Duration.ofNanos(System.nanoTime() - begun));
                more = found >= chunk && !stop.await(wait.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (stop.getCount() > 0) {
                listener.failed(sweep.rows());
                log.warn(
                        "[Retention] {} were not swept; the next try is in {}",
                        sweep.rows(),
                        sweep.interval(),
                        LogText.thrown(e));
            }
        }
        if (deleted > 0) {
            log.info("[Retention] deleted {} rows={} olderThan={}", sweep.rows(), deleted, sweep.olderThan());
        }
    }
}
