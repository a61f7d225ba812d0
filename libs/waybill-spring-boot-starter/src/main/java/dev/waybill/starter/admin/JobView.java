package dev.waybill.starter.admin;

import dev.waybill.store.JobStore.State;
import dev.waybill.store.JobStore.StoredJob;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job as callers see it.
 *
 * @param left subjects that wait; of a canceled job those that were left as they were
 */
record JobView(
        long id,
        String kind,
        State state,
        long total,
        long done,
        long refused,
        long left,
        int perSecond,
        @Nullable String note,
        String actor,
        String reason,
        Instant createdAt,
        Instant changedAt) {

    static JobView of(StoredJob job) {
        return new JobView(
                job.id(),
                job.asked().kind(),
                job.state(),
                job.total(),
                job.done(),
                job.refused(),
                job.total() - job.done() - job.refused(),
                job.asked().perSecond(),
                job.note(),
                job.asked().decision().actor(),
                job.asked().decision().reason(),
                job.createdAt(),
                job.changedAt());
    }
}
