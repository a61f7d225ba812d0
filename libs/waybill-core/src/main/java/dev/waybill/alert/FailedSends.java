package dev.waybill.alert;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.outbox.RelayListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts this process's failed sends by type and topic, for rules by rate. A listener of the relay and a probe at once. */
public final class FailedSends implements RelayListener, AlertProbe {

    /** Types and topics are few; should somebody make one for each event, the rest is counted together. */
    private static final int MOST_KINDS = 1_000;

    private static final Kind REST = new Kind(null, null);

    private record Kind(@Nullable String type, @Nullable String topic) {}

    private final ConcurrentMap<Kind, LongAdder> failures = new ConcurrentHashMap<>();

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        count(event);
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        count(event);
    }

    private void count(Event event) {
        Destination destination = event.destination();
        Kind kind = new Kind(event.type(), destination == null ? null : destination.topic());
        boolean counted = failures.size() < MOST_KINDS || failures.containsKey(kind);
        failures.computeIfAbsent(counted ? kind : REST, first -> new LongAdder())
                .increment();
    }

    @Override
    public List<Reading> read() {
        return failures.entrySet().stream()
                .map(entry -> new Reading(
                        Measures.FAILED_SENDS,
                        entry.getKey().type(),
                        entry.getKey().topic(),
                        (double) entry.getValue().sum(),
                        ""))
                .toList();
    }
}
