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

class SubscriptionContract_MemoryTest extends SubscriptionContract {

    @Override
    protected SubscriptionFixture freshFixture() {
        return new Fixture(new MemoryBroker());
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
            Destination destination = Destination.of("T-" + UUID.randomUUID(), "CREATED");
            return new Line(groupOn(destination), destination);
        }

        @Override
        public SubscriptionSpec beside(Line line) {
            return groupOn(line.destination());
        }

        private SubscriptionSpec groupOn(Destination destination) {
            return SubscriptionSpec.of(destination.topic(), "g-" + UUID.randomUUID())
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
