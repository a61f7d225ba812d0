package dev.waybill.outbox;

import dev.waybill.job.JobItemResult;
import dev.waybill.job.JobWorker;
import dev.waybill.store.JobStore.StoredJob;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import java.util.List;

/**
 * Requeues or discards the DEAD rows of a job; its subjects are event ids. A row that is not DEAD is refused, and that may be one which
 * this job decided about just before its process died.
 */
public final class DeadEventWorker implements JobWorker {

    /** The kind of jobs that make DEAD rows due again. */
    public static final String REQUEUE_JOB = "requeue-events";

    /** The kind of jobs that give DEAD rows up for good. */
    public static final String DISCARD_JOB = "discard-events";

    /** Returns how many of these ids named a DEAD row. */
    private interface Verb {
        int on(List<String> eventIds, OperatorDecision decision);
    }

    private final String kind;
    private final Verb verb;

    private DeadEventWorker(String kind, Verb verb) {
        this.kind = kind;
        this.verb = verb;
    }

    /** One for each kind. */
    public static List<JobWorker> of(OutboxStore store) {
        return List.of(
                new DeadEventWorker(REQUEUE_JOB, store::requeue), new DeadEventWorker(DISCARD_JOB, store::discard));
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public JobItemResult work(StoredJob job, String subject) {
        return verb.on(List.of(subject), job.asked().decision()) == 1
                ? new JobItemResult.Done()
                : new JobItemResult.Refused("no DEAD row has this id, or not any more");
    }
}
