package dev.waybill.rabbitmq;

/**
 * How a queue's dead letters reach their queue. RabbitMQ tells no client which dead-letter exchange a queue has, so it
 * must be said; a queue without a route is not consumed, because its dead letters would vanish.
 */
public sealed interface DeadLetterRoute {

    /** The queue in which the letters end up, where they are collected. */
    String queue();

    /**
     * Waybill publishes the letter itself, confirmed and mandatory, with its error, source and attempt as headers, and
     * acknowledges the original after that. A letter that reaches no queue is not given up: it goes to whoever collects in this
     * process, else to the queue by its name, else to {@code waybill.dead.<queue>}. Name the queue's own dead-letter exchange
     * and routing key here, if it has them.
     */
    record Published(String exchange, String routingKey, String queue) implements DeadLetterRoute {}

    /**
     * The original is rejected, and the queue's own dead-letter exchange takes it. The error is lost, and if the
     * queue has no such exchange, or that one leads nowhere, the broker drops the message: prefer {@link Published}.
     */
    record Rejected(String queue) implements DeadLetterRoute {}
}
