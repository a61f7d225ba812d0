package dev.waybill.starter.observability;

import dev.waybill.inbox.InboxListener;
import dev.waybill.message.Event;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.starter.inbox.SubscriptionListenerFactory;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SubscriptionSpec;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The inbox's meters, all under {@code waybill.inbox}, with the tags group, topic and type. A type that no listener handles is
 * {@code -}, so that unknown types do not create meters without limit.
 */
final class InboxMetrics implements SubscriptionListenerFactory {

    private static final String NO_TYPE = "-";

    private record TypeMeters(
            Counter consumed,
            Counter ignored,
            Counter repeated,
            Counter failed,
            Counter deadLettered,
            Timer processing) {}

    private final MeterRegistry registry;
    private volatile @Nullable InboxSubscriptions subscriptions;

    InboxMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * For each subscription whether it receives, and zeros for what it handles, because nobody sees an increase from nothing to
     * one.
     */
    void register(InboxSubscriptions subscriptions) {
        this.subscriptions = subscriptions;
        for (SubscriptionSpec spec : subscriptions.specs()) {
            WaybillMeter.INBOX_RECEIVING.gauge(
                    registry, subscriptions, all -> all.isReceiving(spec) ? 1 : 0, spec.group(), spec.source());
            subscriptions.types(spec).forEach(type -> metersOf(spec, type));
        }
    }

    private TypeMeters metersOf(SubscriptionSpec spec, String type) {
        return new TypeMeters(
                counter(WaybillMeter.INBOX_CONSUMED, spec, type),
                counter(WaybillMeter.INBOX_IGNORED, spec, type),
                counter(WaybillMeter.INBOX_REPEATED, spec, type),
                counter(WaybillMeter.INBOX_FAILED, spec, type),
                counter(WaybillMeter.INBOX_DEAD_LETTERED, spec, type),
                WaybillMeter.INBOX_PROCESSING.timer(registry, spec.group(), spec.source(), type));
    }

    private Counter counter(WaybillMeter meter, SubscriptionSpec spec, String type) {
        return meter.counter(registry, spec.group(), spec.source(), type);
    }

    @Override
    public InboxListener listenerFor(SubscriptionSpec subscription) {
        return new Meters(subscription);
    }

    /** Of one subscription. */
    private final class Meters implements InboxListener {

        private final SubscriptionSpec spec;
        /** Only types that a method handles come here. */
        private final Map<String, TypeMeters> types = new ConcurrentHashMap<>();

        private final AtomicInteger paused = new AtomicInteger();
        private final Counter passedOver;
        private final Counter deadLettered;

        Meters(SubscriptionSpec spec) {
            this.spec = spec;
            this.passedOver = counter(WaybillMeter.INBOX_PASSED_OVER, spec, NO_TYPE);
            this.deadLettered = counter(WaybillMeter.INBOX_DEAD_LETTERED, spec, NO_TYPE);
            WaybillMeter.INBOX_PAUSED.gauge(registry, this, Meters::waits, spec.group(), spec.source());
        }

        private double waits() {
            InboxSubscriptions all = subscriptions;
            return paused.get() > 0 || (all != null && all.isPaused(spec)) ? 1 : 0;
        }

        @Override
        public void consumed(Event event, String group, Duration cost) {
            of(event).consumed.increment();
            of(event).processing.record(cost);
        }

        @Override
        public void ignored(Event event, String group, String reason) {
            of(event).ignored.increment();
        }

        @Override
        public void repeated(Event event, String group) {
            of(event).repeated.increment();
        }

        @Override
        public void passedOver(Event event, String group) {
            passedOver.increment();
        }

        @Override
        public void failed(Event event, String group, int attempt, String error) {
            of(event).failed.increment();
            if (attempt >= spec.maxDeliveries()) {
                of(event).deadLettered.increment();
            }
        }

        @Override
        public void deadLettered(Delivery delivery, String error) {
            deadLettered.increment();
        }

        @Override
        public void paused(String dependency) {
            paused.set(1);
        }

        @Override
        public void resumed(String dependency) {
            paused.set(0);
        }

        private TypeMeters of(Event event) {
            return types.computeIfAbsent(event.type(), type -> metersOf(spec, type));
        }
    }
}
