package dev.waybill.alert;

import dev.waybill.lifecycle.WarningThrottle;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One sink, its thread, and the notices that wait for it. A sink that hangs fills its own queue, and what is too much is dropped. */
final class SinkQueue {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.alert.Alerts");
    private static final int MOST_WAITING = 100;
    private static final long WAIT_MILLIS = 200;

    private final AlertSink sink;
    private final BlockingQueue<AlertNotice> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final AtomicLong dropped = new AtomicLong();
    private final WarningThrottle full = new WarningThrottle();
    private final Worker worker;

    SinkQueue(AlertSink sink) {
        this.sink = sink;
        this.worker = new Worker(
                "waybill-alert-" + sink.name(),
                this::step,
                error -> log.error("[Alerts] A sink ended by an error sink={}", sink.name(), LogText.thrown(error)));
    }

    void start() {
        worker.start();
    }

    /** Tells what waits, as far as the time goes. */
    boolean stop(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        while (!waiting.isEmpty()
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return worker.join(Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()))) && waiting.isEmpty();
    }

    /** Never waits. */
    void add(AlertNotice notice) {
        if (!waiting.offer(notice)) {
            long sofar = dropped.incrementAndGet();
            if (full.isDue(System.nanoTime())) {
                log.warn(
                        "[Alerts] Dropped a notice, because the sink is too slow sink={} alert={} dropped={}",
                        sink.name(),
                        LogText.token(notice.key()),
                        sofar);
            }
        }
    }

    long dropped() {
        return dropped.get();
    }

    private void step() throws InterruptedException {
        AlertNotice notice = waiting.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        if (notice == null) {
            return;
        }
        try {
            sink.tell(notice);
        } catch (RuntimeException e) {
            dropped.incrementAndGet();
            log.warn(
                    "[Alerts] A sink failed sink={} alert={} error={}",
                    sink.name(),
                    LogText.token(notice.key()),
                    LogText.sentence(String.valueOf(e.getMessage())));
        }
    }
}
