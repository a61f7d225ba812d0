package dev.waybill.memory;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.TraceParent;
import dev.waybill.testkit.TransportContract;
import dev.waybill.testkit.TransportFixture;
import dev.waybill.transport.Transport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The transport's contract on both forms of the broker in memory, topics and declared queues, each also kept in a file. */
class TransportContractTest {

    @Nested
    class Memory extends TransportContract {
        @Override
        protected TransportFixture freshFixture() {
            return new TopicFixture(KeptBroker.nowhere());
        }
    }

    @Nested
    class MemoryQueue extends TransportContract {
        @Override
        protected TransportFixture freshFixture() {
            return new QueueFixture(KeptBroker.nowhere());
        }
    }

    @Nested
    class MemoryFile extends TransportContract {

        @TempDir
        Path folder;

        @Override
        protected TransportFixture freshFixture() {
            return new TopicFixture(KeptBroker.in(folder));
        }
    }

    @Nested
    class MemoryQueueFile extends TransportContract {

        @TempDir
        Path folder;

        @Override
        protected TransportFixture freshFixture() {
            return new QueueFixture(KeptBroker.in(folder));
        }
    }

    /** Every destination is a topic. */
    private static final class TopicFixture extends BrokerFixture {

        TopicFixture(KeptBroker kept) {
            super(kept);
        }

        @Override
        public Destination unknownDestination() {
            return Destination.of("T-" + UUID.randomUUID(), "CREATED");
        }

        @Override
        public void create(Destination unknown) {
            broker.createTopic(unknown.topic());
        }

        @Override
        public Destination illegalDestination() {
            return Destination.of("no\0topic");
        }

        @Override
        public List<Arrived> arrived(Destination destination, int expected) {
            return broker.read(destination.topic()).stream()
                    .map(delivery -> arrived(
                            delivery.message().event(),
                            delivery.message().destination(),
                            delivery.message().body()))
                    .toList();
        }

        private static Arrived arrived(Event event, Destination destination, byte[] body) {
            Map<String, String> headers = new HashMap<>(event.headers());
            headers.put("schemaVersion", Integer.toString(event.schemaVersion()));
            headers.put("traceId", event.traceId());
            headers.put("bizKey", event.bizKey());
            headers.put(TraceParent.HEADER, TraceParent.of(event));
            return new Arrived(event.eventId(), event.type(), destination.tag(), headers, body);
        }

        @Override
        public void unbind(Destination destination) {
            broker.unbind(destination.topic());
        }

        @Override
        public void bind(Destination destination) {
            broker.bind(destination.topic());
        }
    }

    /** Every destination is an exchange with one queue of its name. */
    private static final class QueueFixture extends BrokerFixture {

        QueueFixture(KeptBroker kept) {
            super(kept);
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
        public List<Arrived> arrived(Destination destination, int expected) {
            return broker.waiting(destination.topic()).stream()
                    .map(copy -> new Arrived(
                            Objects.requireNonNull(copy.messageId()),
                            Objects.requireNonNull(copy.headers().get("eventType")),
                            destination.tag(), // the queue is bound with this key alone
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
    }

    private abstract static class BrokerFixture implements TransportFixture {

        final KeptBroker kept;
        final MemoryBroker broker;

        BrokerFixture(KeptBroker kept) {
            this.kept = kept;
            this.broker = kept.broker().onlyKnownTopics();
        }

        @Override
        public Set<Capability> capabilities() {
            return EnumSet.of(Capability.RETURNS_UNROUTABLE);
        }

        @Override
        public Transport transport(Duration sendTimeout) {
            return new MemoryTransport(broker, sendTimeout);
        }

        @Override
        public int sizeLimit() {
            return 4 * 1024 * 1024;
        }

        @Override
        public void kill() {
            kept.kill();
        }

        @Override
        public void revive() {
            kept.revive();
        }

        @Override
        public void pause() {
            broker.fallSilent();
        }

        @Override
        public void resume() {
            broker.speak();
        }
    }
}
