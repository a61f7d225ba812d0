package dev.waybill.message;

import java.util.Objects;

/**
 * Where an event goes: a RocketMQ topic and tag, or a RabbitMQ exchange and routing key.
 *
 * @param topic topic or exchange, never empty
 * @param tag tag or routing key, empty for none
 */
public record Destination(String topic, String tag) {

    public Destination {
        Objects.requireNonNull(tag, "tag");
        if (topic.isBlank()) {
            throw new IllegalArgumentException("a destination needs a topic");
        }
    }

    public static Destination of(String topic, String tag) {
        return new Destination(topic, tag);
    }

    public static Destination of(String topic) {
        return new Destination(topic, "");
    }

    @Override
    public String toString() {
        return tag.isEmpty() ? topic : topic + ":" + tag;
    }
}
