package dev.waybill.job;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.lifecycle.Worker;
import dev.waybill.lifecycle.WorkerGroup;
import dev.waybill.message.LogText;
import dev.waybill.store.JobStore;
import dev.waybill.store.JobStore.NewJob;
import dev.waybill.store.JobStore.StoredJob;
import dev.waybill.store.OperatorDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works jobs off, a few at a time, beside the other processes of the application. A process that dies leaves its jobs to the others, which
 * take them when their leases end.
 */
public final class Jobs implements Lifecycle {

    /** Longer than a subject takes, also when its broker is silent until the time-out. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /** Subjects that one job may have. */
    public static final int MOST_SUBJECTS = 100_000;

    private static final int AT_A_TIME = 3;
    private static final Logger log = LoggerFactory.getLogger(Jobs.class);

    private final JobStore store;
    private final String scope;
    private final List<JobRunner> runners = new ArrayList<>();
    private final WorkerGroup threads;
    private volatile boolean running;

    /**
     * Jobs of one application.
     *
     * @param scope its name, the same in all its processes
     * @param lease how long a job of a process that died waits for another
     */
    public Jobs(JobStore store, String scope, List<JobWorker> workers, Duration lease) {
        this.store = store;
        this.scope = scope;
        Map<String, JobWorker> byKind =
                workers.stream().collect(Collectors.toUnmodifiableMap(JobWorker::kind, Function.identity()));
        IntStream.range(0, AT_A_TIME).forEach(i -> runners.add(new JobRunner(store, scope, byKind, lease)));
        this.threads = new WorkerGroup(IntStream.range(0, AT_A_TIME)
                .mapToObj(i -> new Worker("waybill-job-" + i, runners.get(i)::step, Jobs::died))
                .toList());
    }

    private static void died(Error error) {
        log.error("[Jobs] A worker died; its job waits for another process", LogText.thrown(error));
    }

    /**
     * Begins a job.
     *
     * @throws IllegalArgumentException when it has no subjects, or more than {@link #MOST_SUBJECTS}
     */
    public StoredJob begin(String kind, String terms, int perSecond, OperatorDecision decision, List<String> subjects) {
        if (subjects.isEmpty() || subjects.size() > MOST_SUBJECTS) {
            throw new IllegalArgumentException("a job has 1 to " + MOST_SUBJECTS + " subjects, was " + subjects.size());
        }
        StoredJob job = store.create(new NewJob(scope, kind, terms, perSecond, decision), subjects);
        log.info("[Jobs] begins id={} kind={} subjects={}", job.id(), LogText.token(kind), job.total());
        runners.forEach(JobRunner::lookNow);
        return job;
    }

    @Override
    public synchronized void start() {
        threads.start();
        running = true;
    }

    /** A subject that is under way is finished and settled; its job is given back. */
    @Override
    public synchronized boolean stop(Duration deadline) {
        running = false;
        boolean inTime = threads.stop(deadline);
        if (inTime) {
            runners.forEach(JobRunner::release);
        }
        return inTime;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
