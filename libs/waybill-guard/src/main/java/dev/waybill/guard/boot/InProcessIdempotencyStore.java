package dev.waybill.guard.boot;

import dev.waybill.guard.boot.BoundedExpiringMap.Change;
import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.KeyClaim.StoredResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Keys of one process: for single nodes, the quickstart and tests. A restart forgets them. */
final class InProcessIdempotencyStore implements IdempotencyStore {

    private record KeyEntry(
            long fence, String fingerprint, @Nullable StoredResult result, long createdAt, long expireAt)
            implements BoundedExpiringMap.Expiring {

        KeyEntry until(long ends) {
            return new KeyEntry(fence, fingerprint, result, createdAt, ends);
        }

        boolean isHeldBy(Claimed claim) {
            return result == null && fence == claim.fence();
        }
    }

    private final BoundedExpiringMap<KeyEntry> entries;
    private final InstantSource time;
    private final AtomicLong fences = new AtomicLong();

    InProcessIdempotencyStore(int maxKeys, InstantSource time) {
        this.entries = new BoundedExpiringMap<>(maxKeys);
        this.time = time;
    }

    @Override
    public KeyClaim claim(KeyedRequest keyed, Duration lease) {
        long now = time.millis();
        return entries.change(keyed.storeKey(), now, held -> {
            if (held == null) {
                Claimed claimed = new Claimed(fences.incrementAndGet(), now);
                long ends = now + lease.toMillis();
                return new Change<>(new KeyEntry(claimed.fence(), keyed.fingerprint(), null, now, ends), claimed);
            }
            if (!held.fingerprint().equals(keyed.fingerprint())) {
                return new Change<>(held, new KeyClaim.OtherRequest());
            }
            StoredResult result = held.result();
            return new Change<>(held, result == null ? new KeyClaim.StillRunning() : new KeyClaim.Completed(result));
        });
    }

    @Override
    public boolean complete(KeyedRequest keyed, Claimed claim, StoredResult result, Duration keep) {
        long now = time.millis();
        KeyEntry done =
                new KeyEntry(claim.fence(), keyed.fingerprint(), result, claim.createdAt(), now + keep.toMillis());
        return entries.change(
                keyed.storeKey(),
                now,
                held -> held == null || held.isHeldBy(claim) ? new Change<>(done, true) : new Change<>(held, false));
    }

    @Override
    public boolean release(KeyedRequest keyed, Claimed claim) {
        return entries.change(
                keyed.storeKey(),
                time.millis(),
                held -> held != null && held.isHeldBy(claim) ? new Change<>(null, true) : new Change<>(held, false));
    }

    @Override
    public CompletionStage<Boolean> renew(KeyedRequest keyed, Claimed claim, Duration lease) {
        long now = time.millis();
        return CompletableFuture.completedFuture(entries.change(
                keyed.storeKey(),
                now,
                held -> held != null && held.isHeldBy(claim)
                        ? new Change<>(held.until(now + lease.toMillis()), true)
                        : new Change<>(held, false)));
    }

    int size() {
        return entries.size();
    }
}
