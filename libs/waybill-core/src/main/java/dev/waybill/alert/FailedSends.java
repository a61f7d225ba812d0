package dev.waybill.alert;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.outbox.RelayListener;
import dev.waybill.store.UnreadableRow;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Counts this process's failed sends by type and topic, for rules by rate. A listener of the relay and a probe at once. */
public final class FailedSends implements RelayListener, AlertProbe {

    private final FailureCounts failures = new FailureCounts(Measures.FAILED_SENDS);

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        count(event);
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        count(event);
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        failures.count(UnreadableRow.TYPE, null);
    }

    private void count(Event event) {
        Destination destination = event.destination();
        failures.count(event.type(), destination == null ? null : destination.topic());
    }

    @Override
    public Set<String> measures() {
        return Set.of(Measures.FAILED_SENDS);
    }

    @Override
    public List<Reading> read() {
        return failures.readings();
    }
}
