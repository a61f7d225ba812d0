package dev.waybill.guard.boot;

import dev.waybill.guard.boot.StoreUnavailableException.Reason;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The map of an in-process store: entries expire by themselves, and there are never more than {@code capacity} of them.
 *
 * <p>Expired entries are invisible at once and removed in sweeps, one for every few hundred new keys. When live entries
 * fill the map, a new key is refused and no old one is removed: that would forget a claim or a result whose time is not
 * over.
 */
final class BoundedExpiringMap<V extends BoundedExpiringMap.Expiring> {

    /** An entry that knows when it expires. */
    interface Expiring {
        long expireAt();

        /** What it took from the map's bytes, see {@link #reserve}. */
        default long bytes() {
            return 0;
        }
    }

    /** How many entries there may be, and how many bytes they may reserve together. */
    record Bounds(int entries, long bytes) {}

    private static final int NEW_KEYS_PER_SWEEP = 512;

    private final ConcurrentHashMap<String, V> entries = new ConcurrentHashMap<>();
    private final AtomicLong newKeys = new AtomicLong();
    private final AtomicLong reserved = new AtomicLong();
    private final Bounds bounds;
    private final LongSupplier time;

    BoundedExpiringMap(int capacity, LongSupplier time) {
        this(new Bounds(capacity, 0), time);
    }

    BoundedExpiringMap(Bounds bounds, LongSupplier time) {
        this.bounds = bounds;
        this.time = time;
    }

    /** The entry after a change, null to remove it, and the result for the caller. */
    record Change<V, R>(@Nullable V next, R outcome) {}

    /** One atomic step on an entry; {@code held} is null where there is none or it has expired. */
    @FunctionalInterface
    interface Step<V, R> {
        Change<V, R> change(@Nullable V held, long now);
    }

    /**
     * Changes one entry atomically. The time is read under the entry's lock: a caller that read it before could be
     * overtaken, and would then change the entry in the name of a time that is over.
     */
    <R> R change(String key, Step<V, R> step) {
        makeRoom(key);
        AtomicReference<R> outcome = new AtomicReference<>();
        entries.compute(key, (k, held) -> {
            long now = time.getAsLong();
            Change<V, R> made = step.change(held == null || held.expireAt() <= now ? null : held, now);
            outcome.set(made.outcome());
            if (held != null && held != made.next()) {
                giveBack(held.bytes());
            }
            return made.next();
        });
        return Objects.requireNonNull(outcome.get(), "every change has an outcome");
    }

    /** Takes bytes for an entry that is about to be put; they come back when it is replaced or removed. */
    boolean reserve(long bytes) {
        if (tryReserve(bytes)) {
            return true;
        }
        sweep();
        return tryReserve(bytes);
    }

    private boolean tryReserve(long bytes) {
        long before = reserved.getAndUpdate(held -> bytes <= bounds.bytes - held ? held + bytes : held);
        return bytes <= bounds.bytes - before;
    }

    /** Returns bytes that were reserved for an entry which was not put. */
    void giveBack(long bytes) {
        reserved.addAndGet(-bytes);
    }

    long reservedBytes() {
        return reserved.get();
    }

    /** The entry as it is, expired or not; for callers that check by themselves. */
    @Nullable V get(String key) {
        return entries.get(key);
    }

    int size() {
        return entries.size();
    }

    private void makeRoom(String key) {
        if (entries.containsKey(key)) {
            return;
        }
        boolean full = entries.size() >= bounds.entries;
        if (full || newKeys.incrementAndGet() % NEW_KEYS_PER_SWEEP == 0) {
            sweep();
        }
        if (full && entries.size() >= bounds.entries) {
            throw new StoreUnavailableException(Reason.FULL, null);
        }
    }

    private void sweep() {
        long now = time.getAsLong();
        for (Map.Entry<String, V> entry : entries.entrySet()) {
            V seen = entry.getValue();
            if (seen.expireAt() <= now && entries.remove(entry.getKey(), seen)) {
                giveBack(seen.bytes());
            }
        }
    }
}
