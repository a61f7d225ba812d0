package dev.waybill.rocketmq;

import static org.awaitility.Awaitility.await;

import dev.waybill.message.Destination;
import dev.waybill.servers.RocketMq;
import dev.waybill.testkit.TransportFixture;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/** Topics of its own on the private RocketMQ. */
final class RocketMqFixture implements TransportFixture {

    static final int SIZE_LIMIT = 1024 * 1024;

    private final RocketMq server;

    RocketMqFixture(RocketMq server) {
        this.server = server;
    }

    RocketMqTransport.Builder builder() {
        return RocketMqTransport.builder(server.nameServer())
                .maxMessageSize(SIZE_LIMIT)
                .createTopics(false)
                .pollNameServer(Duration.ofSeconds(1));
    }

    /** RocketMQ keeps a message for readers that come later; there is nothing to be unbound. */
    @Override
    public Set<Capability> capabilities() {
        return EnumSet.noneOf(Capability.class);
    }

    @Override
    public Transport transport(Duration sendTimeout) {
        return builder().sendTimeout(sendTimeout).build();
    }

    @Override
    public Destination unknownDestination() {
        return Destination.of("T-" + UUID.randomUUID(), "ORDER_CREATED");
    }

    @Override
    public void create(Destination unknown) {
        server.createTopic(unknown.topic());
    }

    @Override
    public Destination illegalDestination() {
        return Destination.of("no topic", "ORDER_CREATED");
    }

    @Override
    public int sizeLimit() {
        return SIZE_LIMIT;
    }

    @Override
    public List<Arrived> arrived(Destination destination, int expected) {
        DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("readers-" + UUID.randomUUID());
        consumer.setNamesrvAddr(server.nameServer());
        consumer.setInstanceName(UUID.randomUUID().toString());
        consumer.setAutoCommit(false);
        consumer.setPullBatchSize(1000);
        // Told before the first pull: to seek afterwards interrupts a pull, and that closes the channel under both.
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        // By place: what a reader shows twice was not sent twice.
        Map<String, Arrived> arrived = new LinkedHashMap<>();
        try {
            consumer.start();
            Collection<MessageQueue> queues = await("a route to " + destination)
                    .ignoreExceptions()
                    .until(() -> consumer.fetchMessageQueues(destination.topic()), found -> !found.isEmpty());
            consumer.assign(queues);
            long deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
            List<MessageExt> some = List.of();
            // On to the first empty look, for copies that nobody expected.
            while (System.nanoTime() < deadline && (arrived.size() < expected || !some.isEmpty())) {
                some = consumer.poll(100);
                some.forEach(message -> arrived.put(place(message), arrived(message)));
            }
            return List.copyOf(arrived.values());
        } catch (MQClientException e) {
            throw new IllegalStateException(e);
        } finally {
            // The client's shutdown takes three seconds, whatever happens; nobody needs to watch.
            Thread shutdown = new Thread(consumer::shutdown, "reader-shutdown");
            shutdown.setDaemon(true);
            shutdown.start();
        }
    }

    private static String place(MessageExt message) {
        return message.getBrokerName() + '/' + message.getQueueId() + '/' + message.getQueueOffset();
    }

    private static Arrived arrived(MessageExt message) {
        Map<String, String> headers = message.getProperties();
        return new Arrived(message.getKeys(), headers.get("eventType"), message.getTags(), headers, message.getBody());
    }

    @Override
    public void unbind(Destination destination) {
        throw new UnsupportedOperationException("RocketMQ has no bindings");
    }

    @Override
    public void bind(Destination destination) {
        throw new UnsupportedOperationException("RocketMQ has no bindings");
    }

    @Override
    public void kill() {
        server.kill();
    }

    @Override
    public void revive() {
        server.start();
    }

    @Override
    public void pause() {
        server.pause();
    }

    @Override
    public void resume() {
        server.resume();
    }
}
