package dev.waybill.marketplace.messaging;

import dev.waybill.marketplace.db.UnconsumedEventResender;
import dev.waybill.marketplace.messaging.Topology.Queue;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.QueueSpec;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares the same topology on the broker inside this process. That broker loses its messages when the process ends, so events
 * that an earlier process sent and that were not consumed are sent again.
 */
final class MemoryTopologyDeclarer implements TopologyDeclarer {

    private static final Logger log = LoggerFactory.getLogger(MemoryTopologyDeclarer.class);

    private final MemoryBroker broker;
    private final UnconsumedEventResender resender;

    MemoryTopologyDeclarer(MemoryBroker broker, UnconsumedEventResender resender) {
        this.broker = broker;
        this.resender = resender;
    }

    @Override
    public void declare(Topology topology) {
        for (Queue queue : topology.queues()) {
            declare(queue);
            broker.bind(queue.name(), topology.exchange(), queue.routingKey());
        }
        int again = resender.sendAgain();
        if (again > 0) {
            log.info("[Topology] sent by an earlier process and not consumed, sent again: events={}", again);
        }
    }

    private void declare(Queue queue) {
        try {
            broker.declareQueue(spec(queue));
        } catch (TransportException e) {
            log.warn("[Topology] queue={} is used as it is: {}", queue.name(), e.getMessage());
        }
    }

    private static QueueSpec spec(Queue queue) {
        QueueSpec spec = QueueSpec.of(queue.name());
        if (queue.arguments().get("x-message-ttl") instanceof Number ttl) {
            spec = spec.withMessageTtl(Duration.ofMillis(ttl.longValue()));
        }
        return queue.arguments().get("x-dead-letter-exchange") instanceof String exchange
                        && queue.arguments().get("x-dead-letter-routing-key") instanceof String routingKey
                ? spec.withDeadLetters(exchange, routingKey)
                : spec;
    }
}
