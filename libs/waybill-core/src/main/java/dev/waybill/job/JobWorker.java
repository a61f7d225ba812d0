package dev.waybill.job;

import dev.waybill.store.JobStore.StoredJob;

/** Knows how to work off the subjects of one kind of job. */
public interface JobWorker {

    /** The kind's name in the table, for good. */
    String kind();

    /**
     * Works a subject off. After a crash it is called again for a subject that was worked off and not written down: it has to find
     * that out.
     */
    JobItemResult work(StoredJob job, String subject) throws InterruptedException;
}
