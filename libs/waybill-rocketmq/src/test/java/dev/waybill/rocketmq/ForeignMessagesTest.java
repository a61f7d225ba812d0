package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.DeadLetter;
import dev.waybill.message.Envelope;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.MalformedEventException;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages of other senders, which know nothing of envelopes and little of manners. */
@Servers(Server.ROCKETMQ)
class ForeignMessagesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final RocketMq server;
    private final RocketMqSubscriptions subscriptions;
    private final DefaultMQProducer foreign;
    private final List<Delivery> received = new CopyOnWriteArrayList<>();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private final String topic = "T-" + UUID.randomUUID();
    private final SubscriptionSpec spec =
            SubscriptionSpec.of(topic, "g-" + UUID.randomUUID()).withRetryDelays(List.of(Duration.ofSeconds(1)));

    ForeignMessagesTest(RocketMq server) {
        this.server = server;
        this.subscriptions = RocketMqSubscriptions.builder(server.nameServer())
                .pollNameServer(Duration.ofSeconds(1))
                .build();
        this.foreign = ClientProducers.make(RocketMqTransport.builder(server.nameServer()));
    }

    @BeforeEach
    void createTopic() {
        server.createTopic(topic);
    }

    @AfterEach
    void close() {
        subscriptions.close();
        BackgroundShutdown.of(foreign::shutdown, "test");
    }

    /** As many as there are receivers: each of them would hold one up for ever. */
    @Test
    void emptyBodiesWithoutIdsAreDeadLettersAndTheConsumerGoesOn() throws Exception {
        subscriptions.deadLetters(spec).collect(letters::add).start();
        consume();

        sendEncoded(empty(), empty(), empty(), empty());
        foreign.send(text("after", "{}"));

        await().atMost(PATIENCE).until(() -> letters.size() == 5);
        assertThat(letters).extracting(DeadLetter::key).doesNotHaveDuplicates();
        assertThat(letters)
                .extracting(DeadLetter::messageId)
                .doesNotContainNull()
                .contains("after");
        assertThat(letters)
                .filteredOn(letter -> letter.body().length == 0)
                .hasSize(4)
                .allSatisfy(letter -> {
                    assertThat(letter.error()).contains("an envelope is a JSON object");
                    assertThat(letter.headers()).doesNotContainKey("x-waybill-empty-body");
                });
    }

    @Test
    void anEmptyBodyStaysEmptyWhenItIsRetriedAndReplayed() throws Exception {
        subscriptions.deadLetters(spec).collect(letters::add).start();
        subscriptions
                .subscribe(spec, batch -> {
                    received.addAll(batch);
                    return batch.stream()
                            .<HandlerResult>map(each -> new HandlerResult.Retry("later"))
                            .toList();
                })
                .start();

        sendEncoded(empty());
        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(received).extracting(Delivery::attempt).containsExactly(1, 2);
        assertThat(subscriptions.deadLetters(spec).replay(letters.get(0))).isInstanceOf(SendResult.Confirmed.class);
        await().atMost(PATIENCE).until(() -> received.size() == 4);

        assertThat(received).allSatisfy(delivery -> assertThat(delivery.body()).isEmpty());
        assertThat(received).extracting(Delivery::attempt).containsExactly(1, 2, 1, 2);
    }

    /** The broker's limit was lowered after the message came: no copy of it fits any more. */
    @Test
    void whatTheBrokerRefusesToTakeAgainIsALetterThatSaysWhereItLies() throws Exception {
        foreign.send(text("large", "x".repeat(300_000)));
        foreign.send(text("after", "{}"));
        server.configureBroker(Map.of("maxMessageSize", "100000"));
        try {
            subscriptions.deadLetters(spec).collect(letters::add).start();
            subscriptions
                    .subscribe(
                            spec,
                            batch -> batch.stream()
                                    .<HandlerResult>map(each -> new HandlerResult.Retry("not now"))
                                    .toList())
                    .start();

            await().atMost(PATIENCE).until(() -> letters.size() == 2);
        } finally {
            server.configureBroker(Map.of("maxMessageSize", "4194304"));
        }
        assertThat(letters)
                .filteredOn(letter -> "large".equals(letter.messageId()))
                .singleElement()
                .satisfies(letter -> {
                    assertThat(letter.body()).isEmpty();
                    assertThat(letter.error()).contains("without headers and body", topic, "queue", "not now");
                });
    }

    private void consume() {
        subscriptions
                .subscribe(spec, batch -> batch.stream().map(this::decoded).toList())
                .start();
    }

    private HandlerResult decoded(Delivery delivery) {
        received.add(delivery);
        try {
            Envelope.decode(delivery.body());
            return new HandlerResult.Done();
        } catch (MalformedEventException e) {
            return new HandlerResult.Reject(String.valueOf(e.getMessage()));
        }
    }

    private Message text(String key, String body) {
        return new Message(topic, "", key, body.getBytes(StandardCharsets.UTF_8));
    }

    private Message empty() {
        return new Message(topic, new byte[0]);
    }

    /** Past the client's checks: the broker looks at none of the messages in a batch. */
    private void sendEncoded(Message... messages) throws Exception {
        MessageBatch batch = MessageBatch.generateFromList(Arrays.asList(messages));
        batch.setBody(MessageDecoder.encodeMessages(Arrays.asList(messages)));
        foreign.send(batch);
    }
}
