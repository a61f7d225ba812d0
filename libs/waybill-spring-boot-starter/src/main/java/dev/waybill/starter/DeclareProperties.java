package dev.waybill.starter;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What Waybill declares at RabbitMQ, before anything is sent or received. What is there already stays as it is; nothing is deleted.
 *
 * @param exchanges Exchanges to declare, each with name and type: direct, topic (the default), fanout or headers.
 * @param queues Queues to declare, each with name, type (quorum, the default, or classic), bindings (exchange and
 *     routing-key), dead-letter-queue, dead-letter-exchange and arguments.
 */
public record DeclareProperties(
        @DefaultValue List<Exchange> exchanges,
        @DefaultValue List<Queue> queues) {

    /**
     * A durable exchange.
     *
     * @param name The exchange's name.
     * @param type How it routes.
     */
    public record Exchange(
            @Nullable String name, @DefaultValue("topic") ExchangeType type) {}

    /** How an exchange routes. */
    public enum ExchangeType {
        DIRECT,
        TOPIC,
        FANOUT,
        HEADERS
    }

    /**
     * A durable queue.
     *
     * @param name The queue's name.
     * @param type How it is kept.
     * @param bindings What is routed to it.
     * @param deadLetterQueue Where its dead letters wait; declared too, with the same type, and consumed from nowhere else.
     * @param deadLetterExchange The exchange on the way there, declared as direct where it is not one of the exchanges; by
     *     default the one that reaches every queue by its name.
     * @param arguments Further arguments, such as x-delivery-limit.
     */
    public record Queue(
            @Nullable String name,
            @DefaultValue("quorum") QueueType type,
            @DefaultValue List<Binding> bindings,
            @Nullable String deadLetterQueue,
            @DefaultValue("") String deadLetterExchange,
            @DefaultValue Map<String, String> arguments) {}

    /** How a queue is kept. */
    public enum QueueType {
        QUORUM,
        CLASSIC
    }

    /**
     * What is routed to a queue.
     *
     * @param exchange The exchange that it comes from.
     * @param routingKey The routing key, or the pattern of a topic exchange.
     */
    public record Binding(
            @Nullable String exchange, @DefaultValue("") String routingKey) {}
}
