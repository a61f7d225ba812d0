package dev.waybill.starter.observability;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The meters of so many keys and not more; all further keys share those of one. Events name their topics and types
 * themselves, and code that puts an id into a name must not fill the registry.
 */
final class BoundedMeters<K, M> {

    private final int most;
    private final K other;
    private final Function<K, M> register;
    private final Map<K, M> known = new ConcurrentHashMap<>();

    /** @param other stands for all keys beyond the limit */
    BoundedMeters(int most, K other, Function<K, M> register) {
        this.most = most;
        this.other = other;
        this.register = register;
    }

    M of(K key) {
        M meters = known.get(key);
        return meters == null ? register(key) : meters;
    }

    private synchronized M register(K key) {
        K bounded = known.containsKey(key) || known.size() < most ? key : other;
        return known.computeIfAbsent(bounded, register);
    }
}
