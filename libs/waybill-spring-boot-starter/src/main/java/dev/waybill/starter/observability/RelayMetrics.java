package dev.waybill.starter.observability;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.outbox.Relay;
import dev.waybill.outbox.RelayListener;
import dev.waybill.outbox.RelayStats;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.WaybillProperties.Route;
import dev.waybill.store.UnreadableRow;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/**
 * The relay's meters, all under {@code waybill.relay}: what happened as counters and timers with the tags topic and type,
 * what is under way as gauges.
 */
final class RelayMetrics implements RelayListener {

    /** Beyond so many pairs of topic and type, and so many topics, the tags say {@code other}. */
    static final int MOST = 500;

    static final String OTHER = "other";
    private static final String NONE = "-";

    private record Kind(String topic, String type) {}

    private record EventMeters(Counter sent, Counter retried, Counter dead, DistributionSummary attempts) {}

    private record TopicMeters(Timer dispatch, Timer delivery, Timer retryDelay) {}

    private final MeterRegistry registry;
    private final BoundedMeters<Kind, EventMeters> events =
            new BoundedMeters<>(MOST, new Kind(OTHER, OTHER), this::metersOf);
    private final BoundedMeters<String, TopicMeters> topics = new BoundedMeters<>(MOST, OTHER, this::metersOf);
    private final BoundedMeters<String, AtomicInteger> down = new BoundedMeters<>(MOST, OTHER, this::destination);
    private final Counter leasesLost;

    RelayMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.leasesLost = WaybillMeter.RELAY_LEASES_LOST.counter(registry);
    }

    /** Also shows zeros for what has a route, because nobody sees an increase from nothing to one. */
    void register(Relay relay, Map<String, Route> routes) {
        gauge(WaybillMeter.RELAY_WINDOW, relay, RelayStats::window);
        gauge(WaybillMeter.RELAY_INFLIGHT, relay, RelayStats::inFlight);
        gauge(WaybillMeter.RELAY_WAITING, relay, RelayStats::waiting);
        gauge(WaybillMeter.RELAY_UNSETTLED, relay, RelayStats::unsettled);
        gauge(WaybillMeter.RELAY_DESTINATIONS_DOWN, relay, stats -> stats.down().size());
        WaybillMeter.RELAY_SENDING.gauge(registry, relay, it -> it.isRunning() ? 1 : 0);
        WaybillMeter.RELAY_RELEASED.counted(registry, relay, it -> it.stats().released());
        down.of(SendTarget.WHOLE_BROKER.label());
        routes.forEach((type, route) -> {
            String topic = route.topic();
            if (topic != null) {
                events.of(new Kind(topic, type));
                topics.of(topic);
            }
        });
    }

    /** Whether a person has paused the relay. */
    void register(RelayLifecycle lifecycle) {
        WaybillMeter.RELAY_PAUSED.gauge(registry, lifecycle, it -> it.isPaused() ? 1 : 0);
    }

    private void gauge(WaybillMeter meter, Relay relay, ToDoubleFunction<RelayStats> value) {
        meter.gauge(registry, relay, it -> value.applyAsDouble(it.stats()));
    }

    @Override
    public void sent(Event event, Duration latency) {
        of(event).sent.increment();
        topics.of(topic(event)).dispatch.record(latency);
    }

    @Override
    public void confirmed(Event event, Duration age) {
        topics.of(topic(event)).delivery.record(age);
    }

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        of(event).retried.increment();
        of(event).attempts.record(attempts);
        topics.of(topic(event)).retryDelay.record(delay);
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        of(event).dead.increment();
        of(event).attempts.record(attempts);
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        EventMeters meters = events.of(new Kind(NONE, UnreadableRow.TYPE));
        meters.dead.increment();
        meters.attempts.record(row.attempts() + 1);
    }

    @Override
    public void destinationDown(SendTarget target, SendFailure failure, String detail) {
        down.of(target.label()).set(1);
    }

    @Override
    public void destinationUp(SendTarget target) {
        down.of(target.label()).set(0);
    }

    @Override
    public void leaseLost(int rows) {
        leasesLost.increment(rows);
    }

    private EventMeters of(Event event) {
        return events.of(new Kind(topic(event), event.type()));
    }

    private EventMeters metersOf(Kind kind) {
        return new EventMeters(
                WaybillMeter.RELAY_SENT.counter(registry, kind.topic, kind.type),
                WaybillMeter.RELAY_RETRIED.counter(registry, kind.topic, kind.type),
                WaybillMeter.RELAY_DEAD.counter(registry, kind.topic, kind.type),
                WaybillMeter.RELAY_ATTEMPTS.summary(registry, kind.topic, kind.type));
    }

    private TopicMeters metersOf(String topic) {
        return new TopicMeters(
                WaybillMeter.RELAY_DISPATCH.timer(registry, topic),
                WaybillMeter.RELAY_DELIVERY.timer(registry, topic),
                WaybillMeter.RELAY_RETRY_DELAY.timer(registry, topic));
    }

    private AtomicInteger destination(String label) {
        AtomicInteger state = new AtomicInteger();
        WaybillMeter.RELAY_DESTINATION_DOWN.gauge(registry, state, AtomicInteger::get, label);
        return state;
    }

    private static String topic(Event event) {
        Destination destination = event.destination();
        return destination == null ? NONE : destination.topic();
    }
}
