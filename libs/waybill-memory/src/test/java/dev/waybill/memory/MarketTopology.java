package dev.waybill.memory;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.transport.SendResult;
import java.time.Duration;

/** Queues as a marketplace has them: a delay that ends in a timeout, a business queue, one queue for dead letters. */
final class MarketTopology {

    static final String EXCHANGE = "order.events.exchange";
    static final String DELAY = "order.timeout.delay.queue";
    static final String TIMEOUT = "order.timeout.queue";
    static final String FULFILMENT = "order.fulfillment.queue";
    static final String DEAD = "order.dlq.queue";

    private MarketTopology() {}

    static MemoryBroker declare(MemoryBroker broker, Duration ttl) {
        broker.declareQueue(QueueSpec.of(DELAY).withMessageTtl(ttl).withDeadLetters(EXCHANGE, "order.timeout"))
                .declareQueue(QueueSpec.of(TIMEOUT).withDeadLetters(EXCHANGE, "order.dlq"))
                .declareQueue(QueueSpec.of(FULFILMENT).withDeadLetters(EXCHANGE, "order.dlq"))
                .declareQueue(QueueSpec.of(DEAD));
        return broker.bind(DELAY, EXCHANGE, "order.timeout.delay")
                .bind(TIMEOUT, EXCHANGE, "order.timeout")
                .bind(FULFILMENT, EXCHANGE, "order.paid")
                .bind(DEAD, EXCHANGE, "order.dlq");
    }

    static Message message(String routingKey) {
        Destination to = Destination.of(EXCHANGE, routingKey);
        Event event = Event.builder("ORDER")
                .aggregate("Order", "1")
                .payload("{\"orderId\":1}")
                .destination(to)
                .build();
        return new Message(to, event, Envelope.encode(event, BodyFormat.ENVELOPE));
    }

    static Message send(MemoryBroker broker, String routingKey) {
        Message message = message(routingKey);
        SendResult outcome = broker.take(message);
        if (!(outcome instanceof SendResult.Confirmed)) {
            throw new AssertionError(outcome);
        }
        return message;
    }
}
