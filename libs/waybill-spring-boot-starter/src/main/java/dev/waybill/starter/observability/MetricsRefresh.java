package dev.waybill.starter.observability;

import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Looks at tables or brokers at an interval, on one thread, one after the other. It starts after the relay and the listeners,
 * which check the tables, and holds neither start nor stop up.
 */
final class MetricsRefresh implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(MetricsRefresh.class);

    /** Looking takes at most a tenth of one connection's time, however many rows wait. */
    static final int SHARE = 9;

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
    private static final Duration STOP_PATIENCE = Duration.ofMillis(200);

    private final String name;
    private final Duration interval;
    private final Supplier<List<BackgroundReading<?>>> readings;
    private @Nullable Worker worker;
    private CountDownLatch stopping = new CountDownLatch(0);
    private volatile List<BackgroundReading<?>> started = List.of();

    /** @param readings asked at each start, because it depends on what was started before */
    MetricsRefresh(String name, Duration interval, Supplier<List<BackgroundReading<?>>> readings) {
        this.name = name;
        this.interval = interval;
        this.readings = readings;
    }

    /** How long to wait after looks that took so long. */
    static Duration pauseAfter(Duration took, Duration interval) {
        Duration share = took.multipliedBy(SHARE);
        Duration longest = interval.compareTo(LONGEST_PAUSE) > 0 ? interval : LONGEST_PAUSE;
        return share.compareTo(interval) < 0 ? interval : share.compareTo(longest) > 0 ? longest : share;
    }

    @Override
    public synchronized void start() {
        if (worker != null || interval.isZero()) {
            return;
        }
        List<BackgroundReading<?>> all = readings.get();
        started = all;
        if (all.isEmpty()) {
            return;
        }
        CountDownLatch stop = new CountDownLatch(1);
        stopping = stop;
        Worker begun = new Worker(
                "waybill-metrics-" + name,
                () -> look(all, stop),
                error -> log.error("[Metrics] {} is not read any more", name, LogText.thrown(error)));
        worker = begun;
        begun.start();
    }

    private void look(List<BackgroundReading<?>> all, CountDownLatch stop) throws InterruptedException {
        Duration took = Duration.ZERO;
        for (BackgroundReading<?> reading : all) {
            took = took.plus(reading.read(interval));
        }
        if (stop.await(pauseAfter(took, interval).toNanos(), TimeUnit.NANOSECONDS)) {
            log.debug("[Metrics] {} is not read any more", name);
        }
    }

    @Override
    public synchronized void stop() {
        if (worker != null) {
            worker.requestStop();
            stopping.countDown();
            worker.join(STOP_PATIENCE);
            worker = null;
        }
        started.forEach(BackgroundReading::forget);
    }

    @Override
    public synchronized boolean isRunning() {
        return worker != null;
    }
}
