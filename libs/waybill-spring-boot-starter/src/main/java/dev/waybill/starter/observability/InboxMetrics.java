package dev.waybill.starter.observability;

import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Event;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.starter.inbox.SubscriptionListenerFactory;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SubscriptionSpec;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The inbox's meters, all under {@code waybill.inbox}, with the tags group, topic and type. A type that no listener handles is
 * {@code -}, so that unknown types do not create meters without limit.
 */
final class InboxMetrics implements SubscriptionListenerFactory {

    private static final String PREFIX = "waybill.inbox.";
    private static final String NO_TYPE = "-";

    private final MeterRegistry registry;

    InboxMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** One for each subscription: whether it receives. */
    void gauges(InboxSubscriptions subscriptions) {
        for (SubscriptionSpec spec : subscriptions.specs()) {
            Gauge.builder(PREFIX + "receiving", subscriptions, all -> all.isReceiving(spec) ? 1 : 0)
                    .description("1 while the subscription receives what the broker has for it")
                    .tag("group", spec.group())
                    .tag("topic", spec.source())
                    .register(registry);
        }
    }

    @Override
    public InboxListener listenerFor(SubscriptionSpec subscription) {
        return new Meters(subscription);
    }

    /** Of one subscription. */
    private final class Meters implements InboxListener {

        private final SubscriptionSpec spec;
        private final AtomicInteger paused = new AtomicInteger();

        Meters(SubscriptionSpec spec) {
            this.spec = spec;
            Gauge.builder(PREFIX + "paused", paused, AtomicInteger::get)
                    .description("1 while handling waits for the database or a dependency")
                    .tag("group", spec.group())
                    .tag("topic", spec.source())
                    .register(registry);
        }

        @Override
        public void consumed(Event event, String group, Duration cost) {
            count("consumed", "Events handled", event.type());
            Timer.builder(PREFIX + "processing")
                    .description("How long handlers took")
                    .tag("group", spec.group())
                    .tag("topic", spec.source())
                    .tag("type", event.type())
                    .register(registry)
                    .record(cost);
        }

        @Override
        public void ignored(Event event, String group, String reason) {
            count("ignored", "Events with nothing to do", event.type());
        }

        @Override
        public void repeated(Event event, String group) {
            count("repeated", "Repeats recognised and acknowledged", event.type());
        }

        @Override
        public void passedOver(Event event, String group) {
            count("passed.over", "Events of types that others handle", NO_TYPE);
        }

        @Override
        public void failed(Event event, String group, int attempt, String error) {
            count("failed", "Deliveries that failed", event.type());
            if (attempt >= spec.maxDeliveries()) {
                count("dead.lettered", "Messages that became dead letters", event.type());
            }
        }

        @Override
        public void deadLettered(Delivery delivery, String error) {
            count("dead.lettered", "Messages that became dead letters", NO_TYPE);
        }

        @Override
        public void paused(String dependency) {
            paused.set(1);
        }

        @Override
        public void resumed(String dependency) {
            paused.set(0);
        }

        private void count(String name, String description, String type) {
            Counter.builder(PREFIX + name)
                    .description(description)
                    .tag("group", spec.group())
                    .tag("topic", spec.source())
                    .tag("type", type)
                    .register(registry)
                    .increment();
        }
    }
}
