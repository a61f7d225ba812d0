package dev.waybill.starter.observability;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.outbox.Relay;
import dev.waybill.outbox.RelayListener;
import dev.waybill.outbox.RelayStats;
import dev.waybill.store.UnreadableRow;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/**
 * The relay's meters, all under {@code waybill.relay}: what happened as counters and timers with the tags topic and type,
 * what is under way as gauges.
 */
final class RelayMetrics implements RelayListener {

    private static final String PREFIX = "waybill.relay.";

    private final MeterRegistry registry;
    private final Map<String, AtomicInteger> down = new ConcurrentHashMap<>();

    RelayMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void gauges(Relay relay) {
        gauge("window", "Messages that may be unconfirmed now", relay, RelayStats::window);
        gauge("inflight", "Messages without an answer", relay, RelayStats::inFlight);
        gauge("waiting", "Events in memory, not sent yet", relay, RelayStats::waiting);
        gauge("unsettled", "Answers not written yet", relay, RelayStats::unsettled);
        Gauge.builder(PREFIX + "sending", relay, it -> it.isRunning() ? 1 : 0)
                .description("1 while the relay runs and the broker can be reached")
                .register(registry);
        gauge(
                "destinations.down",
                "Destinations that take no messages",
                relay,
                stats -> stats.down().size());
    }

    private void gauge(String name, String description, Relay relay, ToDoubleFunction<RelayStats> value) {
        Gauge.builder(PREFIX + name, relay, it -> value.applyAsDouble(it.stats()))
                .description(description)
                .register(registry);
    }

    @Override
    public void sent(Event event, Duration latency) {
        counter("sent", "Events confirmed by the broker", event).increment();
        Timer.builder(PREFIX + "dispatch")
                .description("From the relay's taking an event to the broker's confirmation")
                .tag("topic", topic(event))
                .register(registry)
                .record(latency);
    }

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        counter("retried", "Failed sends that are repeated", event).increment();
        attempts(event, attempts);
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        counter("dead", "Events given up", event).increment();
        attempts(event, attempts);
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        counter("dead", "Events given up", "-", UnreadableRow.TYPE).increment();
        attempts("-", UnreadableRow.TYPE, row.attempts() + 1);
    }

    @Override
    public void destinationDown(SendTarget target, SendFailure failure, String detail) {
        destination(target).set(1);
    }

    @Override
    public void destinationUp(SendTarget target) {
        destination(target).set(0);
    }

    @Override
    public void leaseLost(int rows) {
        Counter.builder(PREFIX + "leases.lost")
                .description("Events that this relay held too long")
                .register(registry)
                .increment(rows);
    }

    private Counter counter(String name, String description, Event event) {
        return counter(name, description, topic(event), event.type());
    }

    private Counter counter(String name, String description, String topic, String type) {
        return Counter.builder(PREFIX + name)
                .description(description)
                .tag("topic", topic)
                .tag("type", type)
                .register(registry);
    }

    private void attempts(Event event, int attempts) {
        attempts(topic(event), event.type(), attempts);
    }

    private void attempts(String topic, String type, int attempts) {
        DistributionSummary.builder(PREFIX + "attempts")
                .description("How often an event has failed, counted at each failure")
                .tag("topic", topic)
                .tag("type", type)
                .register(registry)
                .record(attempts);
    }

    private AtomicInteger destination(SendTarget target) {
        return down.computeIfAbsent(target.label(), name -> {
            AtomicInteger state = new AtomicInteger();
            Gauge.builder(PREFIX + "destination.down", state, AtomicInteger::get)
                    .description("1 while the destination takes no messages")
                    .tag("topic", name)
                    .register(registry);
            return state;
        });
    }

    private static String topic(Event event) {
        Destination destination = event.destination();
        return destination == null ? "-" : destination.topic();
    }
}
