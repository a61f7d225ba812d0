package dev.waybill.guard.store;

import dev.waybill.guard.store.StoreUnavailableException.Reason;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Memory for an in-process store: entries end by themselves, and there are never more than {@code capacity} of them.
 *
 * <p>Expired entries are invisible at once and removed in sweeps, one for every few hundred new keys. When live entries fill
 * the room, a new key is refused rather than an old one forgotten: forgetting one would break the promise it stands for.
 */
public final class BoundedEntries<V extends BoundedEntries.Expiring> {

    /** An entry that says when it ends. */
    public interface Expiring {
        long expireAt();
    }

    private static final int NEW_KEYS_PER_SWEEP = 512;

    private final ConcurrentHashMap<String, V> entries = new ConcurrentHashMap<>();
    private final AtomicLong newKeys = new AtomicLong();
    private final int capacity;

    public BoundedEntries(int capacity) {
        this.capacity = capacity;
    }

    /** What becomes of an entry, null for nothing, and what its change means to whoever asked. */
    public record Change<V, R>(@Nullable V next, R outcome) {}

    /** Changes one entry atomically; {@code change} sees null where there is none or it has expired. */
    public <R> R change(String key, long now, Function<@Nullable V, Change<V, R>> change) {
        makeRoom(key, now);
        Holder<R> outcome = new Holder<>();
        entries.compute(key, (k, held) -> {
            Change<V, R> made = change.apply(held == null || held.expireAt() <= now ? null : held);
            outcome.value = made.outcome();
            return made.next();
        });
        return Objects.requireNonNull(outcome.value, "every change has an outcome");
    }

    /** The entry as it is, expired or not; for callers that check by themselves. */
    public @Nullable V get(String key) {
        return entries.get(key);
    }

    public int size() {
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

    private static final class Holder<R> {
        private @Nullable R value;
    }
}
