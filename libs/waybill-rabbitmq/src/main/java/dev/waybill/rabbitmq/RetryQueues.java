package dev.waybill.rabbitmq;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Queues in which messages wait for another delivery: one for each queue and delay, {@code
 * waybill.retry.<queue>.<milliseconds>}. When the time is over, the broker moves a message to its queue, and to no other.
 *
 * <p>They are quorum queues by default, because only those keep a message until its own queue has taken it; a classic
 * queue forgets it first, and a broker that dies in between loses it.
 */
enum RetryQueues {
    QUORUM,
    CLASSIC;

    private static final int NAME_LIMIT = 255;

    /** What the names of a queue's retry queues begin with. */
    static String prefix(String queue) {
        return "waybill.retry." + queue + ".";
    }

    /** Where the dead letters of a queue wait for a person when their route refuses them. */
    static String aside(String queue) {
        return "waybill.dead." + queue;
    }

    static String name(String queue, Duration delay) {
        return prefix(queue) + delay.toMillis();
    }

    static boolean tooLong(String queue, Duration delay) {
        return name(queue, delay).getBytes(StandardCharsets.UTF_8).length > NAME_LIMIT;
    }

    void declare(Channel channel, String queue, Duration delay) throws IOException {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put("x-message-ttl", delay.toMillis());
        arguments.put("x-dead-letter-exchange", "");
        arguments.put("x-dead-letter-routing-key", queue);
        if (this == QUORUM) {
            arguments.put("x-queue-type", "quorum");
            arguments.put("x-dead-letter-strategy", "at-least-once");
            arguments.put("x-overflow", "reject-publish");
        }
        channel.queueDeclare(name(queue, delay), true, false, false, arguments);
    }

    void declareAside(Channel channel, String queue) throws IOException {
        channel.queueDeclare(
                aside(queue), true, false, false, this == QUORUM ? Map.of("x-queue-type", "quorum") : Map.of());
    }
}
