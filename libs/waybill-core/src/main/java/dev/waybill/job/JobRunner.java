package dev.waybill.job;

import dev.waybill.lifecycle.RateThrottle;
import dev.waybill.message.LogText;
import dev.waybill.store.JobStore;
import dev.waybill.store.JobStore.ClaimedJob;
import dev.waybill.store.JobStore.JobItem;
import dev.waybill.store.JobStore.SettledItem;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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
    /** Each attempt is audited, and an outage may take hours. */
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

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
        final List<SettledItem> unsettled = new ArrayList<>();
        boolean inDoubt;

        @Nullable String obstacle;

        long lookedAt;
        long settledAt = System.nanoTime();
        long resumeAt = System.nanoTime();
        long pause = COME_BACK_NANOS;

        Claim(ClaimedJob claimed, JobWorker worker) {
            this.claimed = claimed;
            this.worker = worker;
            this.pace = new RateThrottle(claimed.job().asked().perSecond());
        }

        void note(JobItem item, JobItemResult result) {
            if (result instanceof JobItemResult.Blocked blocked) {
                obstacle = blocked.why();
                return;
            }
            if (result instanceof JobItemResult.Done) {
                unsettled.add(new SettledItem(item.number(), null));
            } else if (result instanceof JobItemResult.Refused refused) {
                unsettled.add(new SettledItem(item.number(), refused.why()));
            }
            lookedAt = item.number();
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
        boolean old = System.nanoTime() - mine.settledAt >= COME_BACK_NANOS; // a person may have canceled it since
        if ((old || !mine.unsettled.isEmpty()) && !settle(mine)) {
            return;
        }
        if (System.nanoTime() - mine.resumeAt < 0) {
            nextLook = System.nanoTime() + COME_BACK_NANOS;
            return;
        }
        List<JobItem> items = store.waiting(mine.claimed.job().id(), mine.lookedAt, SOME);
        if (!items.isEmpty()) {
            slice(mine, items);
        } else if (mine.lookedAt > 0 && hasMore(mine)) {
            mine.lookedAt = 0; // what was left for later
            nextLook = System.nanoTime() + COME_BACK_NANOS;
        } else {
            boolean finished = store.finish(mine.claimed);
            log.info(
                    "[Jobs] {} id={}",
                    finished ? "finishes" : "loses",
                    mine.claimed.job().id());
            claim = null;
        }
    }

    private boolean hasMore(Claim mine) {
        return !store.waiting(mine.claimed.job().id(), 0, 1).isEmpty();
    }

    private void slice(Claim mine, List<JobItem> items) throws InterruptedException {
        long end = System.nanoTime() + SLICE_NANOS;
        mine.obstacle = null;
        try {
            for (JobItem item : items) {
                mine.pace.await();
                mine.note(item, work(mine, item));
                if (mine.obstacle != null || System.nanoTime() - end >= 0) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            settle(mine); // nobody comes back to it
            throw e;
        }
        String obstacle = mine.obstacle;
        boolean stillMine = settle(mine);
        if (obstacle == null) {
            mine.pause = COME_BACK_NANOS;
        } else if (stillMine) {
            mine.resumeAt = System.nanoTime() + mine.pause;
            mine.pause = Math.min(2 * mine.pause, LONGEST_PAUSE_NANOS);
            log.warn("[Jobs] waits id={} error={}", mine.claimed.job().id(), LogText.sentence(obstacle));
            nextLook = System.nanoTime() + COME_BACK_NANOS;
        }
    }

    /** A subject whose work throws keeps neither the thread nor the job. */
    private static JobItemResult work(Claim mine, JobItem item) throws InterruptedException {
        try {
            return mine.worker.work(mine.claimed.job(), item.subject());
        } catch (RuntimeException e) {
            String why = LogText.sentence(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
            if (e instanceof StoreException store && holdsAllUp(store.reason())) {
                return new JobItemResult.Blocked(why);
            }
            log.warn(
                    "[Jobs] fails id={} subject={}",
                    mine.claimed.job().id(),
                    LogText.token(item.subject()),
                    LogText.thrown(e));
            return new JobItemResult.Refused(why);
        }
    }

    private static boolean holdsAllUp(Reason reason) {
        return switch (reason) {
            case UNAVAILABLE, CONFLICT, MISCONFIGURED -> true;
            case DUPLICATE, VALUE, UNSUPPORTED, FAILED -> false;
        };
    }

    /** Writes down what was done and renews the claim; false when the job is not this claim's any more. */
    private boolean settle(Claim mine) {
        if (mine.inDoubt) { // the answer to the last attempt may be all that was lost
            Set<Long> waiting =
                    store.waiting(mine.claimed.job().id(), mine.unsettled.get(0).number() - 1, SOME).stream()
                            .map(JobItem::number)
                            .collect(Collectors.toSet());
            mine.unsettled.removeIf(item -> !waiting.contains(item.number()));
        }
        mine.inDoubt = !mine.unsettled.isEmpty();
        boolean stillMine = store.settle(mine.claimed, List.copyOf(mine.unsettled), lease, mine.obstacle);
        mine.unsettled.clear();
        mine.inDoubt = false;
        mine.settledAt = System.nanoTime();
        if (!stillMine) {
            claim = null;
        }
        return stillMine;
    }

    /** After the thread has ended. */
    void release() {
        Claim mine = claim;
        claim = null;
        if (mine != null && (mine.unsettled.isEmpty() || settle(mine))) {
            store.release(mine.claimed);
        }
    }
}
