package dev.waybill.starter.observability;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Every meter of the starter. Nothing else registers one, and docs/operations.md is compared with this list by a test.
 *
 * <p>A tag's values are bounded: they come from the configuration or are capped, and are never an id.
 */
enum WaybillMeter {
    RELAY_SENT("relay.sent", Kind.COUNTER, "Events confirmed by the broker", "topic", "type"),
    RELAY_RETRIED("relay.retried", Kind.COUNTER, "Failed sends that are repeated", "topic", "type"),
    RELAY_DEAD("relay.dead", Kind.COUNTER, "Events given up", "topic", "type"),
    RELAY_ATTEMPTS(
            "relay.attempts", Kind.SUMMARY, "How often an event has failed, counted at each failure", "topic", "type"),
    RELAY_RETRY_DELAY("relay.retry.delay", Kind.TIMER, "After how long failed events are due again", "topic"),
    RELAY_DISPATCH(
            "relay.dispatch",
            Kind.TIMER,
            "From the commit's hand-off, or the claim from the table, to the broker's confirmation",
            "topic"),
    RELAY_DELIVERY("relay.delivery", Kind.TIMER, "From the event's own time to the broker's confirmation", "topic"),
    RELAY_RELEASED("relay.released", Kind.COUNTER, "Events given back to the table unsent"),
    RELAY_LEASES_LOST("relay.leases.lost", Kind.COUNTER, "Events that this relay held too long"),
    RELAY_WINDOW("relay.window", Kind.GAUGE, "Messages that may be unconfirmed now"),
    RELAY_INFLIGHT("relay.inflight", Kind.GAUGE, "Messages without an answer"),
    RELAY_WAITING("relay.waiting", Kind.GAUGE, "Events in memory, not sent yet"),
    RELAY_UNSETTLED("relay.unsettled", Kind.GAUGE, "Answers not written yet"),
    RELAY_SENDING("relay.sending", Kind.GAUGE, "1 while the relay runs and the broker can be reached"),
    RELAY_PAUSED("relay.paused", Kind.GAUGE, "1 while a person has paused the relay"),
    RELAY_DESTINATIONS_DOWN("relay.destinations.down", Kind.GAUGE, "Destinations that take no messages"),
    RELAY_DESTINATION_DOWN("relay.destination.down", Kind.GAUGE, "1 while the destination takes no messages", "topic"),

    OUTBOX_BACKLOG("outbox.backlog", Kind.GAUGE, "Rows of the outbox table", "state"),
    OUTBOX_OLDEST_DUE("outbox.oldest.due", Kind.SECONDS, "How long the longest-due row has been due"),

    INBOX_CONSUMED("inbox.consumed", Kind.COUNTER, "Events handled", "group", "topic", "type"),
    INBOX_REPEATED("inbox.repeated", Kind.COUNTER, "Repeats recognised and acknowledged", "group", "topic", "type"),
    INBOX_IGNORED("inbox.ignored", Kind.COUNTER, "Events with nothing to do", "group", "topic", "type"),
    INBOX_PASSED_OVER(
            "inbox.passed.over", Kind.COUNTER, "Events of types that others handle", "group", "topic", "type"),
    INBOX_FAILED("inbox.failed", Kind.COUNTER, "Deliveries that failed", "group", "topic", "type"),
    INBOX_DEAD_LETTERED(
            "inbox.dead.lettered", Kind.COUNTER, "Messages that became dead letters", "group", "topic", "type"),
    INBOX_PROCESSING("inbox.processing", Kind.TIMER, "How long handlers took", "group", "topic", "type"),
    INBOX_RECEIVING(
            "inbox.receiving",
            Kind.GAUGE,
            "1 while the subscription receives what the broker has for it",
            "group",
            "topic"),
    INBOX_PAUSED(
            "inbox.paused",
            Kind.GAUGE,
            "1 while handling waits for the database, a dependency or a person",
            "group",
            "topic"),

    LETTERS_UNSETTLED("letters.unsettled", Kind.GAUGE, "Dead letters in the table that nobody has settled", "state"),
    LETTERS_SAVED("letters.saved", Kind.COUNTER, "Dead letters moved from the broker to the table", "group", "topic"),
    LETTERS_REPLAYED("letters.replayed", Kind.COUNTER, "Dead letters given back to the broker", "group", "topic"),
    LETTERS_REPLAYS_FAILED(
            "letters.replays.failed", Kind.COUNTER, "Replays that the broker did not take", "group", "topic"),

    RETENTION_DELETED("retention.deleted", Kind.COUNTER, "Old rows deleted", "rows"),
    RETENTION_FAILED("retention.failed", Kind.COUNTER, "Sweeps of old rows that failed", "rows"),

    RABBITMQ_QUEUE_READY("rabbitmq.queue.ready", Kind.GAUGE, "Messages that wait in the queue", "queue"),
    RABBITMQ_QUEUE_UNACKED("rabbitmq.queue.unacked", Kind.GAUGE, "Messages delivered and not acknowledged", "queue"),
    RABBITMQ_QUEUE_CONSUMERS("rabbitmq.queue.consumers", Kind.GAUGE, "Consumers of the queue", "queue"),
    RABBITMQ_QUEUE_RETRYING(
            "rabbitmq.queue.retrying", Kind.GAUGE, "Messages of the queue that wait for another delivery", "queue"),
    RABBITMQ_MEMORY_ALARMS("rabbitmq.memory.alarms", Kind.GAUGE, "Nodes of the broker short of memory"),
    RABBITMQ_DISK_ALARMS("rabbitmq.disk.alarms", Kind.GAUGE, "Nodes of the broker short of disk space"),

    ROCKETMQ_GROUP_LAG("rocketmq.group.lag", Kind.GAUGE, "Messages that the group has not consumed", "group", "topic"),
    ROCKETMQ_GROUP_RETRYING(
            "rocketmq.group.retrying",
            Kind.GAUGE,
            "Messages that are due again for the group, not consumed yet",
            "group"),
    ROCKETMQ_DELAYED("rocketmq.delayed", Kind.GAUGE, "Messages of all topics that wait for their delay to end"),
    ROCKETMQ_FLUSH_BEHIND("rocketmq.flush.behind.bytes", Kind.GAUGE, "Bytes that are not on the broker's disk yet"),
    ROCKETMQ_REPLICA_BEHIND(
            "rocketmq.replica.behind.bytes", Kind.GAUGE, "Bytes that the slowest connected replica has not taken"),
    ROCKETMQ_DISK_RATIO("rocketmq.disk.ratio", Kind.GAUGE, "How full the fullest broker's disk is"),

    METRICS_REFRESH(
            "metrics.refresh", Kind.TIMER, "How long a reading of tables or a broker took", "source", "outcome");

    /** What a meter measures with. */
    enum Kind {
        COUNTER,
        TIMER,
        SUMMARY,
        GAUGE,
        /** A gauge in seconds. */
        SECONDS;

        String text() {
            return this == SECONDS ? "gauge in seconds" : name().toLowerCase(Locale.ROOT);
        }
    }

    private static final double[] ATTEMPTS = {1, 2, 3, 5, 8, 13};

    /** From a prompt broker's answer to an outage of hours. */
    private static final Duration[] TIMES = {
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofMinutes(2),
        Duration.ofMinutes(10),
        Duration.ofHours(1)
    };

    private final String text;
    private final Kind kind;
    private final String description;
    private final String tags;

    WaybillMeter(String name, Kind kind, String description, String... tags) {
        this.text = "waybill." + name;
        this.kind = kind;
        this.description = description;
        this.tags = String.join(",", tags);
    }

    String text() {
        return text;
    }

    Kind kind() {
        return kind;
    }

    List<String> tags() {
        return tags.isEmpty() ? List.of() : List.of(tags.split(",", -1));
    }

    /** @param values those of the tags, in their order */
    Counter counter(MeterRegistry registry, String... values) {
        return Counter.builder(text)
                .description(description)
                .tags(tagged(Kind.COUNTER, values))
                .register(registry);
    }

    Timer timer(MeterRegistry registry, String... values) {
        return Timer.builder(text)
                .description(description)
                .serviceLevelObjectives(TIMES)
                .tags(tagged(Kind.TIMER, values))
                .register(registry);
    }

    DistributionSummary summary(MeterRegistry registry, String... values) {
        return DistributionSummary.builder(text)
                .description(description)
                .serviceLevelObjectives(ATTEMPTS)
                .tags(tagged(Kind.SUMMARY, values))
                .register(registry);
    }

    /** The registry holds the source weakly: the caller keeps it. */
    <T> void gauge(MeterRegistry registry, T source, ToDoubleFunction<T> value, String... values) {
        Gauge.Builder<T> gauge = Gauge.builder(text, source, value)
                .description(description)
                .tags(tagged(kind == Kind.SECONDS ? Kind.SECONDS : Kind.GAUGE, values));
        if (kind == Kind.SECONDS) {
            gauge.baseUnit("seconds");
        }
        gauge.register(registry);
    }

    /** A counter that somebody else counts. */
    <T> void counted(MeterRegistry registry, T source, ToDoubleFunction<T> count, String... values) {
        FunctionCounter.builder(text, source, count)
                .description(description)
                .tags(tagged(Kind.COUNTER, values))
                .register(registry);
    }

    private Tags tagged(Kind asked, String... values) {
        List<String> keys = tags();
        if (asked != kind || values.length != keys.size()) {
            throw new IllegalArgumentException(text + " is a " + kind.text() + " with the tags " + keys);
        }
        Tags tagged = Tags.empty();
        for (int i = 0; i < values.length; i++) {
            tagged = tagged.and(keys.get(i), values[i]);
        }
        return tagged;
    }
}
