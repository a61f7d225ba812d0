package dev.waybill.memory;

import dev.waybill.message.Destination;
import dev.waybill.testkit.TransportContract;
import dev.waybill.testkit.TransportFixture;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** The declared form: each destination is an exchange with one queue of its name. */
class TransportContract_MemoryQueueTest extends TransportContract {

    @Override
    protected TransportFixture fixture() {
        return new QueueFixture(new MemoryBroker().onlyKnownTopics());
    }

    private record QueueFixture(MemoryBroker broker) implements TransportFixture {

        @Override
        public Set<Capability> capabilities() {
            return EnumSet.of(Capability.RETURNS_UNROUTABLE);
        }

        @Override
        public Transport transport(Duration sendTimeout) {
            return new MemoryTransport(broker, sendTimeout);
        }

        @Override
        public Destination freshDestination() {
            Destination fresh = unknownDestination();
            create(fresh);
            return fresh;
        }

        @Override
        public Destination unknownDestination() {
            return Destination.of("x-" + UUID.randomUUID(), "order.created");
        }

        @Override
        public void create(Destination unknown) {
            broker.declareQueue(QueueSpec.of(unknown.topic()));
            bind(unknown);
        }

        @Override
        public Destination illegalDestination() {
            return Destination.of("no\0exchange");
        }

        @Override
        public int sizeLimit() {
            return 4 * 1024 * 1024;
        }

        @Override
        public List<Arrived> arrived(Destination destination, int expected) {
            return broker.waiting(destination.topic()).stream()
                    .map(copy -> new Arrived(
                            Objects.requireNonNull(copy.messageId()),
                            Objects.requireNonNull(copy.headers().get("eventType")),
                            destination.tag(), // the queue takes no other
                            copy.headers(),
                            copy.body()))
                    .toList();
        }

        @Override
        public void unbind(Destination destination) {
            broker.unbind(destination.topic(), destination.topic(), destination.tag());
        }

        @Override
        public void bind(Destination destination) {
            broker.bind(destination.topic(), destination.topic(), destination.tag());
        }

        @Override
        public void kill() {
            broker.goDown();
        }

        @Override
        public void revive() {
            broker.comeUp();
        }

        @Override
        public void pause() {
            broker.fallSilent();
        }

        @Override
        public void resume() {
            broker.speak();
        }

        @Override
        public void close() {}
    }
}
