package dev.waybill.starter;

import dev.waybill.outbox.RelaySettings;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Makes relay settings from properties; a value that the engine refuses is reported with the property's name. */
final class RelaySettingsFactory {

    private RelaySettings settings = RelaySettings.defaults();

    private RelaySettingsFactory() {}

    static RelaySettings from(WaybillProperties.Relay relay) {
        RelaySettingsFactory factory = new RelaySettingsFactory();
        factory.set("batch", relay.batch(), it -> it.withBatch(relay.batch()));
        factory.set("poll-interval", relay.pollInterval(), it -> it.withPollInterval(relay.pollInterval()));
        factory.set("lease", relay.lease(), it -> it.withLease(relay.lease()));
        factory.set("handoff-capacity", relay.handoffCapacity(), it -> it.withHandoffCapacity(relay.handoffCapacity()));
        DataSize maxBytes = relay.maxBytes();
        if (maxBytes != null) {
            factory.set("max-bytes", maxBytes, it -> it.withMaxBytes(maxBytes.toBytes()));
        }
        factory.set(
                "min-window",
                relay.minWindow(),
                it -> it.withWindow(relay.minWindow(), Math.max(relay.minWindow(), relay.maxWindow())));
        factory.set("max-window", relay.maxWindow(), it -> it.withWindow(relay.minWindow(), relay.maxWindow()));
        factory.set("settle-batch", relay.settleBatch(), it -> it.withSettling(relay.settleBatch(), it.settleLinger()));
        factory.set(
                "settle-linger", relay.settleLinger(), it -> it.withSettling(it.settleBatch(), relay.settleLinger()));
        return factory.settings;
    }

    private void set(String name, Object value, UnaryOperator<RelaySettings> change) {
        try {
            settings = change.apply(settings);
        } catch (IllegalArgumentException e) {
            throw refused(name, value, String.valueOf(e.getMessage()), e);
        }
    }

    private static StartUpException refused(String name, Object value, String rule, @Nullable Throwable cause) {
        String property = "waybill.relay." + name;
        return new StartUpException(
                property, property + "=" + value + " cannot be used: " + rule + ".", "Change " + property + ".", cause);
    }
}
