package dev.waybill.starter.admin;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.jdbc.JdbcJobStore;
import dev.waybill.job.JobWorker;
import dev.waybill.job.Jobs;
import dev.waybill.outbox.DeadEventWorker;
import dev.waybill.starter.StartUpException;
import dev.waybill.store.JobStore;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/** Works jobs off while the application runs: starts after the relay and the listeners, and stops before them. */
final class JobLifecycle implements SmartLifecycle {

    /** A send that is under way is waited for so long; its letter is taken over else. */
    private static final Duration STOP = Duration.ofSeconds(5);

    private final JobStore store;
    private final String scope;
    private final ConsumedLetters letters;
    private final OutboxStore outbox;
    private @Nullable Jobs jobs;

    JobLifecycle(JobStore store, String scope, ConsumedLetters letters, OutboxStore outbox) {
        this.outbox = outbox;
        this.store = store;
        this.scope = scope;
        this.letters = letters;
    }

    /** @throws AdminRefusal while the application starts or stops */
    synchronized Jobs jobs() {
        if (jobs == null) {
            throw new AdminRefusal(AdminError.NOT_HERE, "this process does not work jobs off now");
        }
        return jobs;
    }

    @Override
    public synchronized void start() {
        if (jobs != null) {
            return;
        }
        if (store instanceof JdbcJobStore table) {
            verify(table);
        }
        List<JobWorker> workers = new ArrayList<>(DeadEventWorker.of(outbox));
        DeadLetters consumed = letters.ifConsumed().get();
        if (consumed != null) {
            workers.addAll(consumed.jobWorkers());
        }
        Jobs started = new Jobs(store, scope, workers, Jobs.DEFAULT_LEASE);
        started.start();
        jobs = started;
    }

    private static void verify(JdbcJobStore table) {
        try {
            table.verify();
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.MISCONFIGURED) {
                throw new StartUpException(
                        AdminSecurityCheck.ENABLED,
                        "The tables of jobs cannot be used: " + e.getMessage() + ".",
                        "Set waybill.inbox.ddl=apply to create them, create them with the statements that"
                                + " waybill.inbox.ddl=print logs, or set " + AdminSecurityCheck.ENABLED + "=false.",
                        e);
            }
            throw e;
        }
    }

    @Override
    public synchronized void stop() {
        if (jobs != null) {
            jobs.stop(STOP);
            jobs = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return jobs != null;
    }
}
