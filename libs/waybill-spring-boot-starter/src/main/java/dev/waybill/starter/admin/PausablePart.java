package dev.waybill.starter.admin;

import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.transport.SubscriptionSpec;
import java.util.function.BooleanSupplier;

/** A part of this process that people can pause, under the name that it has in all replicas. */
record PausablePart(String name, BooleanSupplier isPaused, Runnable pause, Runnable resume) {

    static final String RELAY = "relay";

    static PausablePart of(RelayLifecycle relay) {
        return new PausablePart(RELAY, relay::isPaused, relay::pause, relay::resume);
    }

    static PausablePart of(InboxSubscriptions subscriptions, SubscriptionSpec spec) {
        return new PausablePart(
                consumer(spec.source(), spec.group()),
                () -> subscriptions.isPaused(spec),
                () -> subscriptions.pause(spec),
                () -> subscriptions.resume(spec));
    }

    static String consumer(String source, String group) {
        return "consumer " + group + " of " + source;
    }
}
