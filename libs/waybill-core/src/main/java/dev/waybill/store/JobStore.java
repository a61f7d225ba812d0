package dev.waybill.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decisions of operators that take long: a list of subjects that are worked off one by one. Whoever has claimed a job works on it; the lease
 * and the fence of the claim let any other process go on after a crash, and keep one that slept through its lease from writing.
 * Every subject has a row of its own, so that none is lost and none is counted twice.
 */
public interface JobStore {

    /** How a job stands. */
    enum State {
        /** Worked on, or waiting for a process that does. */
        RUNNING,
        /** No subject is left. */
        FINISHED,
        /** A person stopped it; what was done stays done. */
        CANCELED
    }

    /**
     * What is asked for.
     *
     * @param scope the application whose processes work it off
     * @param kind names who knows how
     * @param terms what they need to know beside the subjects, in their own words
     * @param perSecond subjects in a second at most
     */
    record NewJob(String scope, String kind, String terms, int perSecond, OperatorDecision decision) {

        public NewJob {
            if (perSecond < 1 || perSecond > 100_000) {
                throw new IllegalArgumentException("a job does 1 to 100000 a second, was " + perSecond);
            }
        }
    }

    /**
     * A job in the table.
     *
     * @param total subjects at the start
     * @param done those that were worked off
     * @param refused those that could not be
     * @param note what keeps it from going on; null while nothing does
     */
    record StoredJob(
            long id,
            NewJob asked,
            State state,
            long total,
            long done,
            long refused,
            @Nullable String note,
            Instant createdAt,
            Instant changedAt) {}

    /** A job that this process works on. */
    record ClaimedJob(StoredJob job, long fence) {}

    /** One subject of a job. */
    record JobItem(long number, String subject) {}

    /**
     * What became of a subject.
     *
     * @param refusal why it could not be worked off; null when it was
     */
    record SettledItem(long number, @Nullable String refusal) {}

    /** A subject that could not be worked off. */
    record RefusedItem(long number, String subject, String refusal) {}

    /** Writes a job down, with its subjects in this order, and audits it, in one transaction. */
    StoredJob create(NewJob job, List<String> subjects);

    /** Claims a job of this scope and these kinds that nobody holds. */
    Optional<ClaimedJob> claim(String scope, Set<String> kinds, Duration lease);

    /** Subjects that wait, in their order, behind this one. */
    List<JobItem> waiting(long jobId, long afterNumber, int limit);

    /**
     * Settles subjects and renews the claim. What was worked off until the claim's process heard that the job was canceled is
     * counted too.
     *
     * @param note what keeps the job from going on, or null
     * @return false when the job was canceled, or is not this claim's any more: then nothing is written
     */
    boolean settle(ClaimedJob claimed, List<SettledItem> items, Duration lease, @Nullable String note);

    /** Ends a job of which no subject waits; false when it is not this claim's any more. */
    boolean finish(ClaimedJob claimed);

    /** Gives the claim back, so that others need not wait for its lease to end. */
    void release(ClaimedJob claimed);

    /** Stops a RUNNING job, audited; false when it is not RUNNING. */
    boolean cancel(long id, OperatorDecision decision);

    Optional<StoredJob> find(long id);

    /** Those of one application, latest first; the next page begins before the last one's id. */
    List<StoredJob> list(String scope, long beforeId, int limit);

    /** Subjects that could not be worked off, in their order, behind this one. */
    List<RefusedItem> refused(long jobId, long afterNumber, int limit);

    /**
     * Deletes jobs that ended so long ago, with their subjects; at most so many jobs.
     *
     * @return how many there were
     */
    int sweepEnded(Duration olderThan, int limit);

    /**
     * Deletes the audit's records of who began and canceled jobs so long ago; at most so many.
     *
     * @return how many there were
     */
    int sweepAudit(Duration olderThan, int limit);
}
