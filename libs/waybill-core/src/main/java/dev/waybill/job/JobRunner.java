package dev.waybill.job;

import dev.waybill.lifecycle.RateThrottle;
import dev.waybill.message.LogText;
import dev.waybill.store.JobStore;
import dev.waybill.store.JobStore.ClaimedJob;
import dev.waybill.store.JobStore.JobItem;
import dev.waybill.store.JobStore.SettledItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread's work: claims a job and works it off, some subjects at a time. Only {@link #lookNow} is called by others. */
final class JobRunner {

    private static final Logger log = LoggerFactory.getLogger(JobRunner.class);

    private static final int SOME = 50;
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long COME_BACK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long NOTICE_A_STOP_MILLIS = 50;

    private final JobStore store;
    private final String scope;
    private final Map<String, JobWorker> workers;
    private final Duration lease;
    private volatile long nextLook = System.nanoTime();
    private @Nullable Claim claim;

    JobRunner(JobStore store, String scope, Map<String, JobWorker> workers, Duration lease) {
        this.store = store;
        this.scope = scope;
        this.workers = workers;
        this.lease = lease;
    }

    /** A claimed job, and how far this process has come with it. */
    private static final class Claim {

        final ClaimedJob claimed;
        final JobWorker worker;
        final RateThrottle pace;
        long lookedAt;

        Claim(ClaimedJob claimed, JobWorker worker) {
            this.claimed = claimed;
            this.worker = worker;
            this.pace = new RateThrottle(claimed.job().asked().perSecond());
        }
    }

    /** A job was begun in this process: it need not wait for the next look. */
    void lookNow() {
        nextLook = System.nanoTime();
    }

    void step() throws InterruptedException {
        Claim mine = claim;
        if (System.nanoTime() - nextLook < 0) {
            TimeUnit.MILLISECONDS.sleep(NOTICE_A_STOP_MILLIS);
        } else if (mine == null) {
            nextLook = System.nanoTime()
                    + LOOK_EVERY_NANOS; // before the look, so that one that fails is not repeated at once
            store.claim(scope, workers.keySet(), lease).ifPresent(this::begin);
        } else {
            workOff(mine);
        }
    }

    private void begin(ClaimedJob claimed) {
        log.info(
                "[Jobs] claims id={} done={} refused={} of={}",
                claimed.job().id(),
                claimed.job().done(),
                claimed.job().refused(),
                claimed.job().total());
        claim = new Claim(
                claimed,
                Objects.requireNonNull(workers.get(claimed.job().asked().kind())));
        nextLook = System.nanoTime();
    }

    private void workOff(Claim mine) throws InterruptedException {
        List<JobItem> items = store.waiting(mine.claimed.job().id(), mine.lookedAt, SOME);
        if (!items.isEmpty()) {
            slice(mine, items);
        } else if (mine.lookedAt > 0 && hasMore(mine)) {
            mine.lookedAt = 0; // what was left for later
            goOn(store.settle(mine.claimed, List.of(), lease, null), COME_BACK_NANOS);
        } else {
            boolean finished = store.finish(mine.claimed);
            log.info(
                    "[Jobs] {} id={}",
                    finished ? "finishes" : "loses",
                    mine.claimed.job().id());
            goOn(false, 0);
        }
    }

    private boolean hasMore(Claim mine) {
        return !store.waiting(mine.claimed.job().id(), 0, 1).isEmpty();
    }

    private void slice(Claim mine, List<JobItem> items) throws InterruptedException {
        List<SettledItem> settled = new ArrayList<>();
        String obstacle = null;
        long end = System.nanoTime() + SLICE_NANOS;
        for (JobItem item : items) {
            mine.pace.await();
            JobItemResult result = mine.worker.work(mine.claimed.job().asked(), item.subject());
            if (result instanceof JobItemResult.Blocked blocked) {
                obstacle = blocked.why();
                break;
            }
            if (result instanceof JobItemResult.Done) {
                settled.add(new SettledItem(item.number(), null));
            } else if (result instanceof JobItemResult.Refused refused) {
                settled.add(new SettledItem(item.number(), refused.why()));
            }
            mine.lookedAt = item.number();
            if (System.nanoTime() - end >= 0) {
                break;
            }
        }
        goOn(store.settle(mine.claimed, settled, lease, obstacle), obstacle == null ? 0 : COME_BACK_NANOS);
        if (obstacle != null) {
            log.warn("[Jobs] waits id={} error={}", mine.claimed.job().id(), LogText.sentence(obstacle));
        }
    }

    private void goOn(boolean stillMine, long pauseNanos) {
        if (!stillMine) {
            claim = null;
        }
        nextLook = System.nanoTime() + pauseNanos;
    }

    /** After the thread has ended. */
    void release() {
        Claim mine = claim;
        claim = null;
        if (mine != null) {
            store.release(mine.claimed);
        }
    }
}
