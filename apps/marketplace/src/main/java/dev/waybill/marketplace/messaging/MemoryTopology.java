package dev.waybill.marketplace.messaging;

import static java.util.Objects.requireNonNull;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.QueueSpec;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Declares the same topology on the broker inside this process, which keeps messages in a file, but no queues. */
@Component
@ConditionalOnProperty(name = "waybill.broker", havingValue = "memory")
class MemoryTopology {

    private static final Logger log = LoggerFactory.getLogger(MemoryTopology.class);

    MemoryTopology(MemoryBroker broker, Declarables topology) {
        topology.getDeclarablesByType(Queue.class).forEach(queue -> declare(broker, queue));
        for (Binding binding : topology.getDeclarablesByType(Binding.class)) {
            broker.bind(
                    requireNonNull(binding.getDestination()),
                    Topology.EXCHANGE,
                    requireNonNull(binding.getRoutingKey()));
        }
    }

    private static void declare(MemoryBroker broker, Queue queue) {
        try {
            broker.declareQueue(spec(queue));
        } catch (TransportException e) {
            log.warn("[Topology] queue={} is used as it is: {}", queue.getName(), e.getMessage());
        }
    }

    private static QueueSpec spec(Queue queue) {
        QueueSpec spec = QueueSpec.of(queue.getName());
        if (queue.getArguments().get("x-message-ttl") instanceof Number ttl) {
            spec = spec.withMessageTtl(Duration.ofMillis(ttl.longValue()));
        }
        return queue.getArguments().get("x-dead-letter-exchange") instanceof String exchange
                        && queue.getArguments().get("x-dead-letter-routing-key") instanceof String routingKey
                ? spec.withDeadLetters(exchange, routingKey)
                : spec;
    }
}
