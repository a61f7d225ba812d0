package dev.waybill.guard.idempotent;

import dev.waybill.guard.idempotent.Claim.Claimed;
import dev.waybill.guard.idempotent.Claim.StoredResult;
import dev.waybill.guard.store.BoundedEntries;
import dev.waybill.guard.store.BoundedEntries.Change;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Keys of one process: for single nodes, the quickstart and tests. A restart forgets them. */
public final class InProcessKeys implements IdempotencyStore {

    private record Entry(
            long fence, String fingerprint, @Nullable StoredResult result, long createdAt, long expireAt)
            implements BoundedEntries.Expiring {

        Entry until(long ends) {
            return new Entry(fence, fingerprint, result, createdAt, ends);
        }

        boolean isHeldBy(Claimed claim) {
            return result == null && fence == claim.fence();
        }
    }

    private final BoundedEntries<Entry> entries;
    private final InstantSource time;
    private final AtomicLong fences = new AtomicLong();

    public InProcessKeys(int maxKeys, InstantSource time) {
        this.entries = new BoundedEntries<>(maxKeys);
        this.time = time;
    }

    @Override
    public Claim claim(Subject subject, Duration lease) {
        long now = time.millis();
        return entries.change(subject.storeKey(), now, held -> {
            if (held == null) {
                Claimed claimed = new Claimed(fences.incrementAndGet(), now);
                long ends = now + lease.toMillis();
                return new Change<>(new Entry(claimed.fence(), subject.fingerprint(), null, now, ends), claimed);
            }
            if (!held.fingerprint().equals(subject.fingerprint())) {
                return new Change<>(held, new Claim.OtherRequest());
            }
            StoredResult result = held.result();
            return new Change<>(held, result == null ? new Claim.InProgress() : new Claim.Done(result));
        });
    }

    @Override
    public boolean complete(Subject subject, Claimed claim, StoredResult result, Duration keep) {
        long now = time.millis();
        Entry done = new Entry(claim.fence(), subject.fingerprint(), result, claim.createdAt(), now + keep.toMillis());
        return entries.change(
                subject.storeKey(),
                now,
                held -> held == null || held.isHeldBy(claim) ? new Change<>(done, true) : new Change<>(held, false));
    }

    @Override
    public boolean release(Subject subject, Claimed claim) {
        return entries.change(
                subject.storeKey(),
                time.millis(),
                held -> held != null && held.isHeldBy(claim) ? new Change<>(null, true) : new Change<>(held, false));
    }

    @Override
    public CompletionStage<Boolean> renew(Subject subject, Claimed claim, Duration lease) {
        long now = time.millis();
        return CompletableFuture.completedFuture(entries.change(
                subject.storeKey(),
                now,
                held -> held != null && held.isHeldBy(claim)
                        ? new Change<>(held.until(now + lease.toMillis()), true)
                        : new Change<>(held, false)));
    }

    int size() {
        return entries.size();
    }
}
