package dev.waybill.alert;

import dev.waybill.transport.SendTarget;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Says what takes no messages now, as this process sees it; other replicas may see it a moment later, and longer. */
public final class DestinationProbe implements AlertProbe {

    private final Supplier<Set<SendTarget>> down;

    /** Asks the relay, by {@code () -> relay.stats().down()}. */
    public DestinationProbe(Supplier<Set<SendTarget>> down) {
        this.down = down;
    }

    @Override
    public Set<String> measures() {
        return Set.of(Measures.DESTINATION_DOWN);
    }

    @Override
    public List<Reading> read() {
        return down.get().stream()
                .map(target -> new Reading(Measures.DESTINATION_DOWN, null, target.label(), 1, ""))
                .toList();
    }
}
