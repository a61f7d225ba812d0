package dev.waybill.marketplace.messaging;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The exchange, the queues and their bindings, all durable; names and arguments are frozen. Nothing else is declared.
 *
 * @param exchange a topic exchange
 * @param queues in the order of their declaration
 */
record Topology(String exchange, List<Queue> queues) {

    static final String EXCHANGE = "order.events.exchange";
    static final String TIMEOUT = "order.timeout.queue";
    static final String TIMEOUT_DELAY = "order.timeout.delay.queue";
    static final String INVENTORY_UPDATE = "inventory.update.queue";
    static final String FULFILLMENT = "order.fulfillment.queue";
    static final String STATUS_SYNC = "order.status.sync.queue";
    static final String DLQ = "order.dlq.queue";

    /** The consumer's name. There is one, because the consume log has one row for each event. */
    static final String CONSUMER = "marketplace";

    private static final String DEAD = "order.dlq";
    private static final String TIMED_OUT = "order.timeout";

    /** A queue, bound to the exchange by one routing key. */
    record Queue(String name, String routingKey, Map<String, Object> arguments) {}

    /** The frozen topology; an unpaid order's message waits this long in the delay queue. */
    static Topology of(Duration pending) {
        return new Topology(
                EXCHANGE,
                List.of(
                        new Queue(DLQ, DEAD, Map.of()),
                        new Queue(INVENTORY_UPDATE, "order.created", deadLettersTo(DEAD)),
                        new Queue(FULFILLMENT, "order.paid", deadLettersTo(DEAD)),
                        new Queue(STATUS_SYNC, "order.status.changed", deadLettersTo(DEAD)),
                        new Queue(TIMEOUT, TIMED_OUT, deadLettersTo(DEAD)),
                        new Queue(
                                TIMEOUT_DELAY,
                                "order.timeout.delay",
                                Map.of(
                                        "x-message-ttl",
                                        pending.toMillis(),
                                        "x-dead-letter-exchange",
                                        EXCHANGE,
                                        "x-dead-letter-routing-key",
                                        TIMED_OUT))));
    }

    private static Map<String, Object> deadLettersTo(String routingKey) {
        return Map.of("x-dead-letter-exchange", EXCHANGE, "x-dead-letter-routing-key", routingKey);
    }
}
