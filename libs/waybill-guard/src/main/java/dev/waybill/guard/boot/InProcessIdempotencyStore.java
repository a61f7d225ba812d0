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

/**
 * Keys of one process: for single nodes, the quickstart and tests. A restart forgets them.
 *
 * <p>Where the results that are kept would exceed their bytes, a key is kept without its result: its request does not run
 * again, and a repeat is told that the result was not kept.
 */
final class InProcessIdempotencyStore implements IdempotencyStore {

    /** What the JVM needs for a character at most. */
    private static final long BYTES_PER_CHARACTER = 2;

    private record KeyEntry(
            long fence, String fingerprint, @Nullable StoredResult result, long createdAt, long expireAt)
            implements BoundedExpiringMap.Expiring {

        KeyEntry until(long ends) {
            return new KeyEntry(fence, fingerprint, result, createdAt, ends);
        }

        boolean isHeldBy(Claimed claim) {
            return result == null && fence == claim.fence();
        }

        @Override
        public long bytes() {
            return result == null ? 0 : bytesOf(result);
        }
    }

    private final BoundedExpiringMap<KeyEntry> entries;
    private final AtomicLong fences = new AtomicLong();

    InProcessIdempotencyStore(BoundedExpiringMap.Bounds bounds, InstantSource time) {
        this.entries = new BoundedExpiringMap<>(bounds, time::millis);
    }

    @Override
    public KeyClaim claim(KeyedRequest keyed, Duration lease) {
        return entries.change(keyed.storeKey(), (held, now) -> {
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
        StoredResult kept = entries.reserve(bytesOf(result)) ? result : result.withoutData();
        boolean stored = entries.change(keyed.storeKey(), (held, now) -> {
            if (held != null && !held.isHeldBy(claim)) {
                return new Change<>(held, false);
            }
            long ends = now + keep.toMillis();
            return new Change<>(new KeyEntry(claim.fence(), keyed.fingerprint(), kept, claim.createdAt(), ends), true);
        });
        if (!stored) {
            entries.giveBack(bytesOf(kept));
        }
        return stored;
    }

    private static long bytesOf(StoredResult result) {
        return result.json() == null
                ? 0
                : BYTES_PER_CHARACTER
                        * (result.json().length() + result.message().length());
    }

    @Override
    public boolean release(KeyedRequest keyed, Claimed claim) {
        return entries.change(
                keyed.storeKey(),
                (held, now) ->
                        held != null && held.isHeldBy(claim) ? new Change<>(null, true) : new Change<>(held, false));
    }

    @Override
    public CompletionStage<Boolean> renew(KeyedRequest keyed, Claimed claim, Duration lease) {
        return CompletableFuture.completedFuture(entries.change(
                keyed.storeKey(),
                (held, now) -> held != null && held.isHeldBy(claim)
                        ? new Change<>(held.until(now + lease.toMillis()), true)
                        : new Change<>(held, false)));
    }

    int size() {
        return entries.size();
    }

    long resultBytes() {
        return entries.reservedBytes();
    }
}
