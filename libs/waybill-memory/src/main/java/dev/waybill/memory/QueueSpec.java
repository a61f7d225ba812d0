package dev.waybill.memory;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A queue as RabbitMQ has it, for {@link MemoryBroker#declareQueue}.
 *
 * @param name what subscriptions name as their source
 * @param messageTtl how long a message waits here before it is dead-lettered ({@code x-message-ttl}); null for ever
 * @param deadLetters where messages go that expire here or fail for good; null lets what expires be dropped, and refuses
 *     subscriptions
 */
public record QueueSpec(
        String name,
        @Nullable Duration messageTtl,
        @Nullable DeadLetterTo deadLetters) {

    /** An exchange and a routing key; the empty exchange knows every queue by its name. */
    public record DeadLetterTo(String exchange, String routingKey) {}

    public QueueSpec {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a queue needs a name");
        }
        if (messageTtl != null && messageTtl.isNegative()) {
            throw new IllegalArgumentException("a message's time in queue " + name + " is not negative: " + messageTtl);
        }
    }

    /** A queue that keeps its messages and has nowhere to send dead letters. */
    public static QueueSpec of(String name) {
        return new QueueSpec(name, null, null);
    }

    public QueueSpec withMessageTtl(Duration messageTtl) {
        return new QueueSpec(name, messageTtl, deadLetters);
    }

    /** {@code x-dead-letter-exchange} and {@code x-dead-letter-routing-key}. */
    public QueueSpec withDeadLetters(String exchange, String routingKey) {
        return new QueueSpec(name, messageTtl, new DeadLetterTo(exchange, routingKey));
    }
}
