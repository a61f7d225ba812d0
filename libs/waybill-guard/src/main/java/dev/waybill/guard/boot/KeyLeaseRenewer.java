package dev.waybill.guard.boot;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Renews the leases of runs that take longer than their lease, at a third of it, so that leases can be short.
 *
 * <p>Renewing ends after {@code longestRun}: a handler that hangs for ever must not block its key for ever. A renewal that
 * fails is tried again a third of the lease later; two may fail before the lease is lost.
 */
final class KeyLeaseRenewer implements AutoCloseable {

    private final IdempotencyStore store;
    private final Duration longestRun;
    private final ScheduledThreadPoolExecutor timer;

    KeyLeaseRenewer(IdempotencyStore store, Duration longestRun) {
        this.store = store;
        this.longestRun = longestRun;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "waybill-guard-leases");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Renews until the returned handle is closed. */
    RenewedLease renew(KeyedRequest keyed, Claimed claim, Duration lease) {
        long third = Math.max(1, lease.toMillis() / 3);
        AtomicLong left = new AtomicLong(Math.max(1, longestRun.toMillis() / third));
        ScheduledFuture<?> renewals = timer.scheduleAtFixedRate(
                () -> {
                    if (left.decrementAndGet() >= 0) {
                        renewOnce(keyed, claim, lease);
                    }
                },
                third,
                third,
                TimeUnit.MILLISECONDS);
        return () -> renewals.cancel(false);
    }

    private void renewOnce(KeyedRequest keyed, Claimed claim, Duration lease) {
        try {
            store.renew(keyed, claim, lease);
        } catch (StoreUnavailableException away) {
            // The next third tries again; an exception here would end the schedule.
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** A lease that is being renewed. */
    @FunctionalInterface
    interface RenewedLease extends AutoCloseable {
        @Override
        void close();
    }
}
