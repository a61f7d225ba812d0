package dev.waybill.alert;

import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads another probe on a thread of its own, so that a source that is silent delays no other figure. */
final class SlowProbe implements AlertProbe {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.alert.Alerts");
    private static final int INTERVALS_UNTIL_OLD = 3;

    /** What came of one reading. */
    private sealed interface Result {

        record Read(List<Reading> readings, long at) implements Result {}

        record Failed(RuntimeException cause) implements Result {}
    }

    private final AlertProbe probe;
    private final Duration interval;
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Worker worker = new Worker(
            "waybill-alert-probe",
            this::step,
            error -> log.error("[Alerts] A probe ended by an error", LogText.thrown(error)));
    private volatile @Nullable Result last;

    SlowProbe(AlertProbe probe, Duration interval) {
        this.probe = probe;
        this.interval = interval;
    }

    void start() {
        worker.start();
    }

    boolean stop(Duration deadline) {
        worker.requestStop();
        stopping.countDown();
        return worker.join(deadline);
    }

    private void step() throws InterruptedException {
        try {
            last = new Result.Read(probe.read(), System.nanoTime());
        } catch (RuntimeException e) {
            last = new Result.Failed(e);
        }
        first.countDown();
        if (stopping.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
            log.debug("[Alerts] A probe is not read any more");
        }
    }

    /** The last readings, unless they are old. The first call waits for them for an interval at most. */
    @Override
    public List<Reading> read() {
        awaitFirst();
        Result result = last;
        if (result instanceof Result.Failed failed) {
            throw failed.cause();
        }
        if (!(result instanceof Result.Read read)
                || System.nanoTime() - read.at()
                        > interval.multipliedBy(INTERVALS_UNTIL_OLD).toNanos()) {
            throw new IllegalStateException("the source does not answer");
        }
        return read.readings();
    }

    private void awaitFirst() {
        try {
            if (last == null && !first.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                log.debug("[Alerts] A probe has not answered yet");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Set<String> measures() {
        return probe.measures();
    }
}
