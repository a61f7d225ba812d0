package dev.waybill.rocketmq;

import static org.awaitility.Awaitility.await;

import dev.waybill.message.HandlerResult;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.remoting.protocol.RequestCode;
import org.junit.jupiter.api.Test;

/** A heartbeat that is slow while the queues of its consumer change. */
@Servers(Server.ROCKETMQ)
class HeartbeatRaceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** So long that no heartbeat after the first can be what helps. */
    private static final Duration RARELY = Duration.ofMinutes(5);

    private final RocketMq server;
    private final String topic = "T-" + UUID.randomUUID();
    private final SubscriptionSpec spec = SubscriptionSpec.of(topic, "g-" + UUID.randomUUID());

    HeartbeatRaceTest(RocketMq server) {
        this.server = server;
    }

    @Test
    void aConsumerWhoseQueuesChangeDuringAHeartbeatGoesOnConsuming() throws Exception {
        server.createTopic(topic);
        SlowHeartbeat heartbeat = new SlowHeartbeat(spec.group());
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        DefaultMQProducer producer = ClientProducers.make(RocketMqTransport.builder(server.nameServer()));
        try (RocketMqSubscriptions one =
                        builder().rpcHook(heartbeat).pollNameServer(RARELY).build();
                RocketMqSubscriptions other = builder().build()) {
            one.subscribe(spec, counting(first)).start();
            await().atMost(PATIENCE).until(() -> heartbeat.begun.getCount() == 0);

            other.subscribe(spec, counting(second)).start();
            await().atMost(PATIENCE).until(() -> received(producer, second) >= 1);
            heartbeat.end.countDown();

            // A pull from before may bring one message from each queue; each of the others needs a pull of its own.
            int before = first.get();
            await().atMost(PATIENCE).until(() -> received(producer, first) >= before + 20);
        } finally {
            heartbeat.end.countDown();
            BackgroundShutdown.of(producer::shutdown, "test");
        }
    }

    private RocketMqSubscriptions.Builder builder() {
        return RocketMqSubscriptions.builder(server.nameServer()).pollNameServer(Duration.ofSeconds(1));
    }

    private static Receiver counting(AtomicInteger count) {
        return batch -> {
            count.addAndGet(batch.size());
            return batch.stream()
                    .<HandlerResult>map(each -> new HandlerResult.Done())
                    .toList();
        };
    }

    private int received(DefaultMQProducer producer, AtomicInteger count) throws Exception {
        producer.send(new Message(topic, "{}".getBytes(StandardCharsets.UTF_8)));
        return count.get();
    }

    /** Holds the consumer's regular heartbeat up after it was written, before it is sent. */
    private static final class SlowHeartbeat implements RPCHook {

        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);
        private final String group;

        SlowHeartbeat(String group) {
            this.group = group;
        }

        @Override
        public void doBeforeRequest(String address, RemotingCommand request) {
            if (request.getCode() == RequestCode.HEART_BEAT
                    && Thread.currentThread().getName().startsWith("MQClientFactoryScheduledThread")
                    && new String(request.getBody(), StandardCharsets.UTF_8).contains(group)) {
                begun.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void doAfterResponse(String address, RemotingCommand request, RemotingCommand response) {}
    }
}
