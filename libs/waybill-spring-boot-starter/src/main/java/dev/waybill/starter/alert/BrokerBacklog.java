package dev.waybill.starter.alert;

import dev.waybill.alert.AlertProbe;
import dev.waybill.alert.Measures;
import dev.waybill.alert.Reading;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** What waits at the broker for this process's listeners, by queue, or by topic and group: asked over the network. */
record BrokerBacklog(Supplier<Map<Source, Long>> waiting) {

    /** Where messages wait. */
    record Source(String topic, String group) {}

    AlertProbe probe() {
        return new AlertProbe() {
            @Override
            public List<Reading> read() {
                return waiting.get().entrySet().stream()
                        .map(entry -> new Reading(
                                Measures.BROKER_BACKLOG,
                                null,
                                entry.getKey().topic(),
                                entry.getValue(),
                                "group=" + entry.getKey().group()))
                        .toList();
            }

            @Override
            public Set<String> measures() {
                return Set.of(Measures.BROKER_BACKLOG);
            }
        };
    }
}
