package dev.waybill.starter;

import dev.waybill.outbox.RelaySettings;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Relay settings from properties; what the engine refuses is refused by the property's name. */
final class RelayOptions {

    private RelaySettings settings = RelaySettings.defaults();

    private RelayOptions() {}

    static RelaySettings from(WaybillProperties.Relay relay) {
        RelayOptions options = new RelayOptions();
        options.set("batch", relay.batch(), it -> it.withBatch(relay.batch()));
        options.set("poll-interval", relay.pollInterval(), it -> it.withPollInterval(relay.pollInterval()));
        options.set("lease", relay.lease(), it -> it.withLease(relay.lease()));
        options.set("handoff-capacity", relay.handoffCapacity(), it -> it.withHandoffCapacity(relay.handoffCapacity()));
        options.set(
                "min-window",
                relay.minWindow(),
                it -> it.withWindow(relay.minWindow(), Math.max(relay.minWindow(), relay.maxWindow())));
        options.set("max-window", relay.maxWindow(), it -> it.withWindow(relay.minWindow(), relay.maxWindow()));
        options.set("settle-batch", relay.settleBatch(), it -> it.withSettling(relay.settleBatch(), it.settleLinger()));
        options.set(
                "settle-linger", relay.settleLinger(), it -> it.withSettling(it.settleBatch(), relay.settleLinger()));
        if (relay.stopDeadline().isNegative()) {
            throw refused("stop-deadline", relay.stopDeadline(), "a deadline is not negative", null);
        }
        return options.settings;
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
