package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.impl.CommunicationMode;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.apache.rocketmq.remoting.protocol.header.SendMessageRequestHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Messages of other senders, which know nothing of envelopes and little of manners. */
@Servers(Server.ROCKETMQ)
class ForeignMessagesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

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

    /** The broker takes 32 kB of properties, and the copy for the retry topic has some of its own. */
    @Test
    void keysThatLeaveNoRoomForOursAreALetterAndHoldUpNobody() throws Exception {
        subscriptions.deadLetters(spec).collect(letters::add).start();
        consume();
        for (int i = 0; i < spec.concurrency(); i++) {
            sendWithTheLongestKeys("not an envelope " + i);
        }
        foreign.send(text("after", "{}"));

        await().atMost(PATIENCE).until(() -> letters.size() == spec.concurrency() + 1);
        assertThat(letters).extracting(DeadLetter::key).doesNotHaveDuplicates();
        assertThat(letters)
                .filteredOn(letter -> new String(letter.body(), StandardCharsets.UTF_8).startsWith("not an envelope"))
                .hasSize(spec.concurrency())
                .allSatisfy(letter -> {
                    assertThat(letter.messageId()).matches("k{128}");
                    assertThat(letter.error()).contains("without its headers", topic, "queue", "offset");
                });
    }

    /** A raw client may write any number of deliveries into its first one. */
    @Test
    void aForgedNumberOfDeliveriesIsNotBelieved() throws Exception {
        subscriptions
                .subscribe(spec, batch -> {
                    received.addAll(batch);
                    return batch.stream()
                            .<HandlerResult>map(each ->
                                    each.attempt() == 1 ? new HandlerResult.Retry("once") : new HandlerResult.Done())
                            .toList();
                })
                .start();

        for (int forged : new int[] {7, -5, Integer.MAX_VALUE}) {
            received.clear();
            Message message = text("forged" + forged, "{}");
            sendWithDeliveries(message, forged);
            await().atMost(PATIENCE).until(() -> received.size() == 2);
            assertThat(received).extracting(Delivery::attempt).containsExactly(1, 2);
        }
    }

    @Test
    void aReceiverWithAnErrorEveryTimeSpendsDeliveriesUntilItIsADeadLetter() throws Exception {
        subscriptions.deadLetters(spec).collect(letters::add).start();
        subscriptions
                .subscribe(spec.withBatch(4), batch -> {
                    received.addAll(batch);
                    if (batch.stream().anyMatch(each -> "huge".equals(each.messageId()))) {
                        throw new OutOfMemoryError("planted");
                    }
                    return batch.stream()
                            .<HandlerResult>map(each -> new HandlerResult.Done())
                            .toList();
                })
                .start();

        foreign.send(text("huge", "{}"));
        foreign.send(text("small", "{}"));

        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(letters.get(0).messageId()).isEqualTo("huge");
        assertThat(letters.get(0).error()).contains("OutOfMemoryError");
        assertThat(received).extracting(Delivery::messageId).contains("small");
    }

    @Test
    void whatAMessageSaysForgesNoLogLine() throws Exception {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        lines.start();
        root.addAppender(lines);
        try {
            subscriptions.deadLetters(spec).collect(letters::add).start();
            subscriptions
                    .subscribe(
                            spec,
                            batch -> batch.stream()
                                    .<HandlerResult>map(
                                            each -> new HandlerResult.Reject("not\nforged\r\u2028" + "x".repeat(5_000)))
                                    .toList())
                    .start();

            foreign.send(text("key\nforged " + "k".repeat(5_000), "{}"));

            await().atMost(PATIENCE).until(() -> letters.size() == 1);
        } finally {
            root.detachAppender(lines);
        }
        List<String> ours = List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("forged"))
                .toList();
        assertThat(ours)
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(line).doesNotContain("\n", "\r", "\u2028").hasSizeLessThan(3_000));
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

    private void sendWithTheLongestKeys(String body) throws Exception {
        for (int length = Short.MAX_VALUE; length > 30_000; length -= 10) {
            try {
                foreign.send(text("k".repeat(length), body));
                return;
            } catch (MQBrokerException e) {
                assertThat(e.getResponseCode()).isEqualTo(ResponseCode.MESSAGE_ILLEGAL);
            }
        }
        throw new IllegalStateException("the broker takes no such keys");
    }

    @SuppressWarnings("deprecation") // the producer itself lets nobody say it
    private void sendWithDeliveries(Message message, int deliveries) throws Exception {
        MessageQueue queue = foreign.fetchPublishMessageQueues(topic).get(0);
        SendMessageRequestHeader header = new SendMessageRequestHeader();
        header.setProducerGroup("foreign");
        header.setTopic(topic);
        header.setDefaultTopic("TBW102");
        header.setDefaultTopicQueueNums(4);
        header.setQueueId(queue.getQueueId());
        header.setSysFlag(0);
        header.setBornTimestamp(System.currentTimeMillis());
        header.setFlag(0);
        header.setProperties(MessageDecoder.messageProperties2String(message.getProperties()));
        header.setReconsumeTimes(deliveries);
        header.setBrokerName(queue.getBrokerName());
        foreign.getDefaultMQProducerImpl()
                .getMqClientFactory()
                .getMQClientAPIImpl()
                .sendMessage(
                        server.brokerAddress(),
                        queue.getBrokerName(),
                        message,
                        header,
                        10_000,
                        CommunicationMode.SYNC,
                        null,
                        foreign.getDefaultMQProducerImpl());
    }

    /** Past the client's checks: the broker looks at none of the messages in a batch. */
    private void sendEncoded(Message... messages) throws Exception {
        MessageBatch batch = MessageBatch.generateFromList(Arrays.asList(messages));
        batch.setBody(MessageDecoder.encodeMessages(Arrays.asList(messages)));
        foreign.send(batch);
    }
}
