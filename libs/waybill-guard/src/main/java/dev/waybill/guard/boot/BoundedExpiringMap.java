package dev.waybill.guard.boot;

import dev.waybill.guard.boot.StoreUnavailableException.Reason;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
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
    }

    private static final int NEW_KEYS_PER_SWEEP = 512;

    private final ConcurrentHashMap<String, V> entries = new ConcurrentHashMap<>();
    private final AtomicLong newKeys = new AtomicLong();
    private final int capacity;

    BoundedExpiringMap(int capacity) {
        this.capacity = capacity;
    }

    /** The entry after a change, null to remove it, and the result for the caller. */
    record Change<V, R>(@Nullable V next, R outcome) {}

    /** Changes one entry atomically; {@code change} sees null where there is none or it has expired. */
    <R> R change(String key, long now, Function<@Nullable V, Change<V, R>> change) {
        makeRoom(key, now);
        AtomicReference<R> outcome = new AtomicReference<>();
        entries.compute(key, (k, held) -> {
            Change<V, R> made = change.apply(held == null || held.expireAt() <= now ? null : held);
            outcome.set(made.outcome());
            return made.next();
        });
        return Objects.requireNonNull(outcome.get(), "every change has an outcome");
    }

    /** The entry as it is, expired or not; for callers that check by themselves. */
    @Nullable V get(String key) {
        return entries.get(key);
    }

    int size() {
        return entries.size();
    }

    private void makeRoom(String key, long now) {
        if (entries.containsKey(key)) {
            return;
        }
        boolean full = entries.size() >= capacity;
        if (full || newKeys.incrementAndGet() % NEW_KEYS_PER_SWEEP == 0) {
            entries.values().removeIf(entry -> entry.expireAt() <= now);
        }
        if (full && entries.size() >= capacity) {
            throw new StoreUnavailableException(Reason.FULL, null);
        }
    }
}
