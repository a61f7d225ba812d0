package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.protocol.heartbeat.MessageModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What RocketMQ's subscriptions promise beyond the contract. */
@Servers(Server.ROCKETMQ)
class RocketMqSubscriptionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Receiver DONE = batch -> batch.stream()
            .<HandlerResult>map(delivery -> new HandlerResult.Done())
            .toList();

    private final RocketMq server;
    private final RocketMqSubscriptions subscriptions;
    private final List<Delivery> received = new CopyOnWriteArrayList<>();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private final String topic = "T-" + UUID.randomUUID();
    private final SubscriptionSpec spec =
            SubscriptionSpec.of(topic, "g-" + UUID.randomUUID()).withRetryDelays(List.of(Duration.ofSeconds(1)));

    RocketMqSubscriptionsTest(RocketMq server) {
        this.server = server;
        this.subscriptions = builder().build();
    }

    @AfterEach
    void close() {
        subscriptions.close();
    }

    @Test
    void aGroupOnTwoTopicsIsRefused() {
        subscriptions.subscribe(spec, DONE);
        subscriptions.subscribe(spec, DONE);

        assertThatThrownBy(() -> subscriptions.subscribe(SubscriptionSpec.of("OTHER", spec.group()), DONE))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNSAFE_SETTING))
                .hasMessageContaining("set another group");
        assertRefused(() -> subscriptions.subscribe(spec.withTag("A"), DONE), Reason.UNSAFE_SETTING);
    }

    @Test
    void settingsThatLoseOrSpendMessagesAreRefused() {
        assertRefused(
                () -> adjusted(consumer -> consumer.setMessageModel(MessageModel.BROADCASTING)), Reason.UNSAFE_SETTING);
        assertRefused(() -> adjusted(consumer -> consumer.setConsumeTimeout(15)), Reason.UNSAFE_SETTING);
        assertRefused(
                () -> adjusted(consumer -> consumer.registerMessageListener(
                        (org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly)
                                (messages, context) -> null)),
                Reason.UNSAFE_SETTING);
        assertRefused(
                () -> subscriptions.subscribe(spec.withRetryDelays(List.of(Duration.ofHours(3))), DONE),
                Reason.BAD_SETTING);
        assertRefused(() -> subscriptions.subscribe(SubscriptionSpec.of("no topic", "g"), DONE), Reason.BAD_SETTING);
    }

    @Test
    void aDelayBetweenTwoLevelsWaitsForTheLonger() {
        assertThat(SubscriptionSpec.STANDARD_DELAYS).extracting(DelayLevels::of).containsExactly(2, 4, 6);
        assertThat(DelayLevels.of(Duration.ZERO)).isZero();
        assertThat(DelayLevels.of(Duration.ofMillis(1))).isEqualTo(1);
        assertThat(DelayLevels.of(Duration.ofSeconds(6))).isEqualTo(3);
        assertThat(DelayLevels.of(Duration.ofHours(2))).isEqualTo(18);
    }

    @Test
    void aReceiverMayHoldAMessageForAWeekAndLetTheOthersRunAhead() {
        DefaultMQPushConsumer consumer = ClientConsumers.make(builder(), spec, (messages, context) -> null);

        assertThat(Duration.ofMinutes(consumer.getConsumeTimeout())).isEqualTo(Duration.ofDays(7));
        assertThat(consumer.getConsumeConcurrentlyMaxSpan()).isEqualTo(65_535);
    }

    @Test
    void aSubscriptionMayStartBeforeItsTopicIsThere() {
        subscribe(delivery -> new HandlerResult.Done()).start();

        server.createTopic(topic);
        send("e-1", "{}", "");

        await().atMost(PATIENCE).until(() -> received.size() == 1);
    }

    @Test
    void membersOfAGroupShareItsMessagesAndLeaveNoneBehind() {
        server.createTopic(topic);
        Lifecycle first = subscribe(delivery -> new HandlerResult.Done());
        first.start();
        try (RocketMqSubscriptions others = builder().build()) {
            List<Delivery> receivedByOthers = new CopyOnWriteArrayList<>();
            others.subscribe(spec, batch -> {
                        receivedByOthers.addAll(batch);
                        return DONE.receive(batch);
                    })
                    .start();
            await().atMost(PATIENCE).until(() -> {
                send(UUID.randomUUID().toString(), "{}", "");
                return !receivedByOthers.isEmpty() && !received.isEmpty();
            });
        }
        received.clear();
        for (int i = 0; i < 8; i++) {
            send("last-" + i, "{}", "");
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(received)
                        .extracting(Delivery::messageId)
                        .contains("last-0", "last-1", "last-2", "last-3", "last-4", "last-5", "last-6", "last-7"));
    }

    @Test
    void anErrorThatDoesNotFitStaysBehind() {
        server.createTopic(topic);
        subscriptions.deadLetters(spec).collect(letters::add).start();
        subscribe(delivery -> new HandlerResult.Reject("错".repeat(500))).start();

        send("e-1", "{}", "n".repeat(31_500));
        send("e-2", "{}", "short");

        await().atMost(PATIENCE).until(() -> letters.size() == 2);
        assertThat(letters)
                .filteredOn(letter -> "e-1".equals(letter.messageId()))
                .singleElement()
                .satisfies(letter -> assertThat(letter.error()).isNull());
        assertThat(letters)
                .filteredOn(letter -> "e-2".equals(letter.messageId()))
                .singleElement()
                .satisfies(letter -> assertThat(letter.error()).isEqualTo("错".repeat(500)));
    }

    private RocketMqSubscriptions.Builder builder() {
        return RocketMqSubscriptions.builder(server.nameServer()).pollNameServer(Duration.ofSeconds(1));
    }

    private void adjusted(java.util.function.Consumer<DefaultMQPushConsumer> adjustment) {
        builder().adjust(adjustment).build().subscribe(spec, DONE);
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, Reason reason) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private Lifecycle subscribe(Function<Delivery, HandlerResult> rule) {
        return subscriptions.subscribe(spec, batch -> {
            received.addAll(batch);
            return batch.stream().map(rule).toList();
        });
    }

    private void send(String id, String body, String note) {
        DefaultMQProducer producer = ClientProducers.make(RocketMqTransport.builder(server.nameServer()));
        try {
            Message message = new Message(topic, "", id, body.getBytes(StandardCharsets.UTF_8));
            if (!note.isEmpty()) {
                message.putUserProperty("note", note);
            }
            producer.send(message);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            BackgroundShutdown.of(producer::shutdown, "test");
        }
    }
}
