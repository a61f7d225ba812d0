package dev.waybill.faults;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What a consumer at the broker received: which events, how often, and when first. */
abstract class Arrivals implements AutoCloseable {

    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final Map<String, Long> firstMicros = new ConcurrentHashMap<>();

    protected final void arrived(String eventId) {
        long now = Clocks.epochMicros();
        counts.computeIfAbsent(eventId, id -> new AtomicInteger()).incrementAndGet();
        firstMicros.putIfAbsent(eventId, now);
    }

    final boolean has(String eventId) {
        return counts.containsKey(eventId);
    }

    final Set<String> ids() {
        return Set.copyOf(counts.keySet());
    }

    final int distinct() {
        return counts.size();
    }

    final int total() {
        return counts.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    final int repeats() {
        return total() - distinct();
    }

    final Map<String, Long> firstMicros() {
        return firstMicros;
    }

    /** Repeats among these events only. */
    final int repeatsOf(List<String> ids) {
        return ids.stream()
                .mapToInt(id -> counts.getOrDefault(id, new AtomicInteger(1)).get() - 1)
                .sum();
    }

    @Override
    public abstract void close();
}
