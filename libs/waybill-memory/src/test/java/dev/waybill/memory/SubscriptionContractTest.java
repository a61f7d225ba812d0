package dev.waybill.memory;

import dev.waybill.message.Destination;
import dev.waybill.testkit.SubscriptionContract;
import dev.waybill.testkit.SubscriptionFixture;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The subscriptions' contract on both forms of the broker in memory, topics and declared queues, each also kept in a file. */
class SubscriptionContractTest {

    @Nested
    class Memory extends SubscriptionContract {
        @Override
        protected SubscriptionFixture freshFixture() {
            return new TopicFixture(KeptBroker.nowhere());
        }
    }

    @Nested
    class MemoryQueue extends SubscriptionContract {
        @Override
        protected SubscriptionFixture freshFixture() {
            return new QueueFixture(KeptBroker.nowhere());
        }
    }

    @Nested
    class MemoryFile extends SubscriptionContract {

        @TempDir
        Path folder;

        @Override
        protected SubscriptionFixture freshFixture() {
            return new TopicFixture(KeptBroker.in(folder));
        }
    }

    @Nested
    class MemoryQueueFile extends SubscriptionContract {

        @TempDir
        Path folder;

        @Override
        protected SubscriptionFixture freshFixture() {
            return new QueueFixture(KeptBroker.in(folder));
        }
    }

    /** Every route is a topic and a group that reads it. */
    private static final class TopicFixture extends BrokerFixture {

        TopicFixture(KeptBroker kept) {
            super(kept);
        }

        @Override
        public Destination freshDestination() {
            return Destination.of("T-" + UUID.randomUUID(), "CREATED");
        }

        @Override
        public SubscriptionSpec freshSubscription(Destination destination) {
            return SubscriptionSpec.of(destination.topic(), "g-" + UUID.randomUUID());
        }
    }

    /** Every route is a queue on one exchange, and all queues share a dead-letter queue. */
    private static final class QueueFixture extends BrokerFixture {

        QueueFixture(KeptBroker kept) {
            super(kept);
            MarketTopology.declare(broker, Duration.ofMinutes(15));
        }

        @Override
        public Destination freshDestination() {
            return Destination.of(MarketTopology.EXCHANGE, "order." + UUID.randomUUID());
        }

        @Override
        public SubscriptionSpec freshSubscription(Destination destination) {
            String queue = "q-" + UUID.randomUUID();
            broker.declareQueue(QueueSpec.of(queue).withDeadLetters(MarketTopology.EXCHANGE, "order.dlq"))
                    .bind(queue, destination.topic(), destination.tag());
            return SubscriptionSpec.of(queue, "group-of-" + queue);
        }
    }

    private abstract static class BrokerFixture implements SubscriptionFixture {

        final MemoryBroker broker;

        private final KeptBroker kept;

        BrokerFixture(KeptBroker kept) {
            this.kept = kept;
            this.broker = kept.broker();
        }

        @Override
        public Subscriptions subscriptions() {
            return new MemorySubscriptions(broker);
        }

        @Override
        public Transport transport() {
            return new MemoryTransport(broker);
        }

        @Override
        public List<Duration> growingDelays() {
            return List.of(Duration.ofMillis(100), Duration.ofMillis(300));
        }

        /** A broker without a file keeps its messages while nobody can reach it, as a real broker keeps them on disk. */
        @Override
        public void kill() {
            kept.kill();
        }

        @Override
        public void revive() {
            kept.revive();
        }
    }
}
