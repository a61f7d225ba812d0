package dev.waybill.alert;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Totals of one measure by type and topic, which only grow. */
final class FailureCounts {

    /** Types and topics are few; should somebody make one for each event, the rest is counted together. */
    private static final int MOST_KINDS = 1_000;

    private static final Kind REST = new Kind(null, null);

    private record Kind(@Nullable String type, @Nullable String topic) {}

    private final String measure;
    private final ConcurrentMap<Kind, LongAdder> failures = new ConcurrentHashMap<>();

    FailureCounts(String measure) {
        this.measure = measure;
    }

    void count(@Nullable String type, @Nullable String topic) {
        Kind kind = new Kind(type, topic);
        boolean counted = failures.size() < MOST_KINDS || failures.containsKey(kind);
        failures.computeIfAbsent(counted ? kind : REST, first -> new LongAdder())
                .increment();
    }

    List<Reading> readings() {
        return failures.entrySet().stream()
                .map(entry -> new Reading(
                        measure,
                        entry.getKey().type(),
                        entry.getKey().topic(),
                        (double) entry.getValue().sum(),
                        ""))
                .toList();
    }
}
