package dev.waybill.alert;

import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Event;
import java.util.List;
import java.util.Set;

/** Counts this process's failed deliveries by type, for rules by rate. A listener of the inbox and a probe at once. */
public final class FailedDeliveries implements InboxListener, AlertProbe {

    private final FailureCounts failures = new FailureCounts(Measures.FAILED_DELIVERIES);

    @Override
    public void failed(Event event, String group, int attempt, String error) {
        failures.count(event.type(), null);
    }

    @Override
    public Set<String> measures() {
        return Set.of(Measures.FAILED_DELIVERIES);
    }

    @Override
    public List<Reading> read() {
        return failures.readings();
    }
}
