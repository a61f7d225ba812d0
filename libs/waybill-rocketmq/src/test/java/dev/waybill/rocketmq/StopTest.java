package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a stop waits for, and what it does not. */
@Servers(Server.ROCKETMQ)
class StopTest {

    private static final Duration BUDGET = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RocketMq server;
    private final RocketMqSubscriptions subscriptions;
    private final DefaultMQProducer producer;
    private final String topic = "T-" + UUID.randomUUID();
    private final SubscriptionSpec spec = SubscriptionSpec.of(topic, "g-" + UUID.randomUUID());

    StopTest(RocketMq server) {
        this.server = server;
        this.subscriptions = RocketMqSubscriptions.builder(server.nameServer())
                .pollNameServer(Duration.ofSeconds(1))
                .build();
        this.producer = ClientProducers.make(RocketMqTransport.builder(server.nameServer()));
    }

    @BeforeEach
    void createTopic() {
        server.createTopic(topic);
    }

    @AfterEach
    void close() {
        subscriptions.close();
        BackgroundShutdown.of(producer::shutdown, "test");
    }

    @Test
    void aReceiverThatWaitsForItsDatabaseIsNotWaitedFor() throws Exception {
        Paused paused = new Paused();
        Lifecycle subscription = subscriptions.subscribe(spec, paused);
        subscription.start();
        producer.send(message("e-1"));
        await().atMost(PATIENCE).until(() -> !paused.threads.isEmpty());

        assertStopsAtOnce(subscription);
        assertThatItComesAgain();
    }

    @Test
    void aReceiverThatThrowsIsNotAskedAgainInAStop() throws Exception {
        CountDownLatch asked = new CountDownLatch(3);
        Lifecycle subscription = subscriptions.subscribe(spec, batch -> {
            asked.countDown();
            throw new IllegalStateException("no database");
        });
        subscription.start();
        producer.send(message("e-1"));
        await().atMost(PATIENCE).until(() -> asked.getCount() == 0);

        assertStopsAtOnce(subscription);
        assertThatItComesAgain();
    }

    private static void assertStopsAtOnce(Lifecycle subscription) {
        long began = System.nanoTime();
        assertThat(subscription.stop(BUDGET)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(BUDGET.dividedBy(3));
    }

    private void assertThatItComesAgain() {
        List<Delivery> received = new CopyOnWriteArrayList<>();
        subscriptions
                .subscribe(spec, batch -> {
                    received.addAll(batch);
                    return batch.stream()
                            .<HandlerResult>map(each -> new HandlerResult.Done())
                            .toList();
                })
                .start();
        await().atMost(PATIENCE).until(() -> !received.isEmpty());
        assertThat(received.get(0).messageId()).isEqualTo("e-1");
        assertThat(received.get(0).attempt()).isEqualTo(1);
    }

    private Message message(String key) {
        return new Message(topic, "", key, "{}".getBytes(StandardCharsets.UTF_8));
    }

    /** Waits as an inbox does whose database is away. */
    private static final class Paused implements Receiver {

        final List<Thread> threads = new CopyOnWriteArrayList<>();

        @Override
        public List<HandlerResult> receive(List<Delivery> batch) throws InterruptedException {
            threads.add(Thread.currentThread());
            new CountDownLatch(1).await();
            throw new IllegalStateException("unreachable");
        }

        @Override
        public void endWaiting() {
            threads.forEach(Thread::interrupt);
        }
    }
}
