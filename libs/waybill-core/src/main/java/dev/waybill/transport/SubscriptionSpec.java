package dev.waybill.transport;

import java.time.Duration;
import java.util.List;

/**
 * What is received, by whom, and with how much patience.
 *
 * @param source RocketMQ topic or RabbitMQ queue
 * @param group who consumes: RocketMQ's consumer group; on RabbitMQ a name for logs and the consume log
 * @param tag RocketMQ tag expression, {@code *} for all; RabbitMQ ignores it
 * @param concurrency receivers at work at once
 * @param prefetch messages the broker may hand over ahead of their answers
 * @param batch messages given to the receiver at once, 1 by default
 * @param retryDelays waits before the second, third … delivery; after the last one the message is a dead letter
 */
public record SubscriptionSpec(
        String source, String group, String tag, int concurrency, int prefetch, int batch, List<Duration> retryDelays) {

    /** 5 s, 30 s, 2 min: three deliveries after the first. All of them are delay levels of RocketMQ. */
    public static final List<Duration> STANDARD_DELAYS =
            List.of(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(2));

    public SubscriptionSpec {
        if (source.isBlank() || group.isBlank()) {
            throw new IllegalArgumentException("a subscription needs a source and a group");
        }
        if (concurrency < 1 || prefetch < 1 || batch < 1) {
            throw new IllegalArgumentException("concurrency, prefetch and batch are at least 1");
        }
        retryDelays = List.copyOf(retryDelays);
    }

    public static SubscriptionSpec of(String source, String group) {
        return new SubscriptionSpec(source, group, "*", 4, 20, 1, STANDARD_DELAYS);
    }

    public SubscriptionSpec withTag(String tag) {
        return new SubscriptionSpec(source, group, tag, concurrency, prefetch, batch, retryDelays);
    }

    public SubscriptionSpec withConcurrency(int concurrency, int prefetch) {
        return new SubscriptionSpec(source, group, tag, concurrency, prefetch, batch, retryDelays);
    }

    public SubscriptionSpec withBatch(int batch) {
        return new SubscriptionSpec(source, group, tag, concurrency, prefetch, batch, retryDelays);
    }

    public SubscriptionSpec withRetryDelays(List<Duration> retryDelays) {
        return new SubscriptionSpec(source, group, tag, concurrency, prefetch, batch, retryDelays);
    }

    /** How often a message is delivered at most. */
    public int maxDeliveries() {
        return retryDelays.size() + 1;
    }
}
