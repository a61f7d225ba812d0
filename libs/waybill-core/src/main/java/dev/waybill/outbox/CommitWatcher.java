package dev.waybill.outbox;

import dev.waybill.store.OutboxStore;
import dev.waybill.store.RemoteCommits;

/** Wakes the claimer when another process has committed events that no relay there holds. */
final class CommitWatcher {

    private final OutboxStore store;
    private final Claimer claimer;
    private volatile boolean stopping;

    CommitWatcher(OutboxStore store, Claimer claimer) {
        this.store = store;
        this.claimer = claimer;
    }

    /** Whether there is anything to hear; on most databases there is not. */
    boolean isUseful() {
        return store.remoteCommits() != null;
    }

    /** Lasts until the stop, or until the database is lost. */
    void step() throws InterruptedException {
        RemoteCommits commits = store.remoteCommits();
        if (commits != null) {
            commits.listen(claimer::wake, () -> !stopping);
        }
    }

    void requestStop() {
        stopping = true;
    }
}
