package dev.waybill.inbox;

import dev.waybill.job.JobItemResult;
import dev.waybill.job.JobWorker;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.JobStore.StoredJob;
import java.util.List;

/** Discards the letters of a job. */
final class LetterDiscardWorker implements JobWorker {

    private final DeadLetterStore store;

    LetterDiscardWorker(DeadLetterStore store) {
        this.store = store;
    }

    @Override
    public String kind() {
        return DeadLetters.DISCARD_JOB;
    }

    @Override
    public JobItemResult work(StoredJob job, String subject) {
        long id = Long.parseLong(subject);
        if (store.discard(List.of(id), job.asked().decision()) == 1) {
            return new JobItemResult.Done();
        }
        return store.find(id)
                .<JobItemResult>map(
                        letter -> letter.state() == State.DISCARDED && LetterReplayWorker.sinceBegun(job, letter)
                                ? new JobItemResult.Done()
                                : new JobItemResult.Refused("it is " + letter.state() + " since " + letter.changedAt()))
                .orElseGet(() -> new JobItemResult.Refused("there is no such letter"));
    }
}
