package dev.waybill.memory;

import dev.waybill.message.Destination;
import dev.waybill.testkit.SubscriptionContract;
import dev.waybill.testkit.SubscriptionFixture;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The declared form: every line is a queue on one exchange, and all queues share a dead-letter queue. */
class SubscriptionContract_MemoryQueueTest extends SubscriptionContract {

    @Override
    protected SubscriptionFixture freshFixture() {
        return new Fixture(MarketTopology.declare(new MemoryBroker(), Duration.ofMinutes(15)));
    }

    private record Fixture(MemoryBroker broker) implements SubscriptionFixture {

        @Override
        public Subscriptions subscriptions() {
            return new MemorySubscriptions(broker);
        }

        @Override
        public Transport transport() {
            return new MemoryTransport(broker);
        }

        @Override
        public Line freshLine() {
            Destination destination = Destination.of(MarketTopology.EXCHANGE, "order." + UUID.randomUUID());
            return new Line(queueOn(destination), destination);
        }

        @Override
        public SubscriptionSpec beside(Line line) {
            return queueOn(line.destination());
        }

        private SubscriptionSpec queueOn(Destination destination) {
            String queue = "q-" + UUID.randomUUID();
            broker.declareQueue(QueueSpec.of(queue).withDeadLetters(MarketTopology.EXCHANGE, "order.dlq"))
                    .bind(queue, destination.topic(), destination.tag());
            return SubscriptionSpec.of(queue, "group-of-" + queue)
                    .withRetryDelays(growingDelays().subList(0, 1));
        }

        @Override
        public List<Duration> growingDelays() {
            return List.of(Duration.ofMillis(100), Duration.ofMillis(300));
        }

        /** It keeps everything while nobody can reach it, as a real broker's disk does. */
        @Override
        public void kill() {
            broker.goDown();
        }

        @Override
        public void revive() {
            broker.comeUp();
        }

        @Override
        public void close() {}
    }
}
