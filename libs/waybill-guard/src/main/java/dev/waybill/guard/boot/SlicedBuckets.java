package dev.waybill.guard.boot;

import dev.waybill.guard.boot.BoundedExpiringMap.Change;
import dev.waybill.guard.boot.StoreUnavailableException.Reason;
import dev.waybill.guard.boot.TakeResult.Granted;
import dev.waybill.guard.boot.TakeResult.Refused;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes a slice of a shared bucket at a time and spends it in this process, so that most decisions need no round trip.
 *
 * <p>Tokens leave the shared bucket before they are spent, so all nodes together never spend more than the bucket gave.
 * What a node holds was due a moment earlier: in any span of time {@code nodes × slice} calls more than the bucket's own
 * bound may get through. A slice ends after its lifetime; a node that dies loses the rest of its slice, at most {@code
 * slice} tokens.
 */
final class SlicedBuckets {

    private final BucketStore shared;
    private final long lifetimeNanos;
    private final long timeoutNanos;
    private final LongSupplier nanoTime;
    private final BoundedExpiringMap<Slice> slices;

    SlicedBuckets(BucketStore shared, Duration lifetime, Duration timeout, int maxKeys, LongSupplier nanoTime) {
        this.shared = shared;
        this.lifetimeNanos = lifetime.toNanos();
        this.timeoutNanos = timeout.toNanos();
        this.nanoTime = nanoTime;
        this.slices = new BoundedExpiringMap<>(maxKeys, nanoTime);
    }

    /** The outcome for one call; only one thread per key asks the shared bucket, the others wait for its answer. */
    TakeResult take(String key, TokenBucket bucket, long cost, long slice) {
        Slice mine = sliceOf(key);
        TakeResult local = mine.spend(cost, nanoTime.getAsLong());
        if (local != null) {
            return local;
        }
        mine.lock(timeoutNanos);
        try {
            local = mine.spend(cost, nanoTime.getAsLong());
            if (local != null) {
                return local;
            }
            TakeResult fetched = shared.take(key, bucket, cost, Math.max(cost, slice));
            mine.fill(fetched, cost, nanoTime.getAsLong(), lifetimeNanos);
            return fetched instanceof Granted granted ? new Granted(cost, granted.remaining()) : fetched;
        } finally {
            mine.refilling.unlock();
        }
    }

    private Slice sliceOf(String key) {
        Slice known = slices.get(key);
        long now = nanoTime.getAsLong();
        if (known != null && known.touch(now, lifetimeNanos)) {
            return known;
        }
        return slices.change(key, (held, read) -> {
            Slice slice = held == null ? new Slice(read + 2 * lifetimeNanos) : held;
            return new Change<>(slice, slice);
        });
    }

    /** What this node holds of one bucket; a refusal is remembered too, until the tokens could be there. */
    private static final class Slice implements BoundedExpiringMap.Expiring {

        private record SliceState(long tokens, long remaining, long endsAt, long refusedCost, long refusedUntil) {}

        private static final SliceState NOTHING = new SliceState(0, 0, 0, Long.MAX_VALUE, 0);

        private final ReentrantLock refilling = new ReentrantLock();
        private final AtomicReference<SliceState> state = new AtomicReference<>(NOTHING);
        private volatile long expireAt;

        Slice(long expireAt) {
            this.expireAt = expireAt;
        }

        @Override
        public long expireAt() {
            return expireAt;
        }

        boolean touch(long now, long lifetimeNanos) {
            long ends = expireAt;
            if (ends <= now) {
                return false;
            }
            if (ends - now < lifetimeNanos) {
                expireAt = now + 2 * lifetimeNanos;
            }
            return true;
        }

        @Nullable TakeResult spend(long cost, long now) {
            while (true) {
                SliceState seen = Objects.requireNonNull(state.get());
                if (seen.tokens >= cost && now - seen.endsAt < 0) {
                    SliceState next = new SliceState(
                            seen.tokens - cost, seen.remaining, seen.endsAt, seen.refusedCost, seen.refusedUntil);
                    if (state.compareAndSet(seen, next)) {
                        return new Granted(cost, seen.remaining + next.tokens);
                    }
                } else if (cost >= seen.refusedCost && now - seen.refusedUntil < 0) {
                    long millis = TimeUnit.NANOSECONDS.toMillis(seen.refusedUntil - now);
                    return new Refused(seen.remaining, Math.max(1, millis));
                } else {
                    return null;
                }
            }
        }

        void fill(TakeResult fetched, long cost, long now, long lifetimeNanos) {
            state.updateAndGet(seen -> {
                long unspent = now - seen.endsAt < 0 ? seen.tokens : 0;
                if (fetched instanceof Granted granted) {
                    long tokens = granted.tokens() - cost + unspent;
                    return new SliceState(tokens, granted.remaining(), now + lifetimeNanos, Long.MAX_VALUE, now);
                }
                Refused refused = (Refused) fetched;
                long until = now + TimeUnit.MILLISECONDS.toNanos(refused.retryAfterMillis());
                return new SliceState(unspent, refused.remaining(), seen.endsAt, cost, until);
            });
        }

        void lock(long timeoutNanos) {
            try {
                if (refilling.tryLock(timeoutNanos, TimeUnit.NANOSECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreUnavailableException(Reason.FAILED, e);
            }
            throw new StoreUnavailableException(Reason.TIMED_OUT, null);
        }
    }
}
