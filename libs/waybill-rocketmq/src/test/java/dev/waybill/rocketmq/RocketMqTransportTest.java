package dev.waybill.rocketmq;

import static dev.waybill.rocketmq.Sends.assertConfirmed;
import static dev.waybill.rocketmq.Sends.failure;
import static dev.waybill.rocketmq.Sends.failureOrNull;
import static dev.waybill.rocketmq.Sends.message;
import static dev.waybill.rocketmq.Sends.messages;
import static dev.waybill.rocketmq.Sends.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.TransportFixture.Arrived;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.message.MessageConst;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is RocketMQ's own, beside the contract. */
@Servers(Server.ROCKETMQ)
class RocketMqTransportTest {

    private final RocketMq server;
    private final RocketMqFixture fixture;
    private final List<RocketMqTransport> open = new ArrayList<>();

    RocketMqTransportTest(RocketMq server) {
        this.server = server;
        this.fixture = new RocketMqFixture(server);
    }

    @AfterEach
    void closeAll() {
        open.forEach(RocketMqTransport::close);
    }

    /** The broker gives up waiting for its disk before it begins: a real FLUSH_DISK_TIMEOUT from a real broker. */
    @Test
    void anAnswerOtherThanSendOkDoesNotConfirm() {
        Destination to = fixture.freshDestination();
        RocketMqTransport transport = started();
        assertConfirmed(outcomes(transport, messages(to, 10)));

        server.configureBroker(Map.of("syncFlushTimeout", "0"));
        List<SendResult> outcomes = List.of();
        SendResult alone = new SendResult.Confirmed(null);
        try {
            // now and then the disk is quicker than no time at all
            for (int i = 0; i < 200 && (isConfirmed(outcomes) || alone instanceof SendResult.Confirmed); i++) {
                outcomes = isConfirmed(outcomes) ? outcomes(transport, messages(to, 10)) : outcomes;
                alone = alone instanceof SendResult.Confirmed
                        ? outcomes(transport, messages(to, 1)).get(0)
                        : alone;
            }
        } finally {
            server.configureBroker(Map.of("syncFlushTimeout", "5000"));
        }

        assertThat(outcomes).allMatch(outcome -> failureOrNull(outcome) == SendFailure.NOT_STORED);
        assertThat(((NotConfirmed) alone).describe()).isEqualTo("NOT_STORED: FLUSH_DISK_TIMEOUT");
        assertConfirmed(outcomes(transport, messages(to, 10)));
    }

    private static boolean isConfirmed(List<SendResult> outcomes) {
        return outcomes.stream().allMatch(SendResult.Confirmed.class::isInstance);
    }

    @Test
    void aBrokerWithASmallerLimitCostsTheLargeMessageAlone() {
        Destination to = fixture.freshDestination();
        RocketMqTransport transport = started();
        List<Message> sent = new ArrayList<>(messages(to, 50));
        sent.add(25, message(to, 300_000));
        for (int i = 0; i < 20; i++) {
            sent.add(message(to, 40_000)); // each of them small enough, together they are not
        }

        server.configureBroker(Map.of("maxMessageSize", "100000"));
        List<SendResult> outcomes;
        try {
            outcomes = new ArrayList<>(outcomes(transport, sent));
        } finally {
            server.configureBroker(Map.of("maxMessageSize", "4194304"));
        }

        assertThat(failure(outcomes.get(25)).permanent())
                .as("%s", outcomes.remove(25))
                .isTrue();
        assertConfirmed(outcomes);
        assertThat(fixture.arrived(to, 70)).hasSize(70);
    }

    @Test
    void everyMessageOfABatchHasTheIdUnderWhichTheBrokerKeepsIt() {
        Destination to = fixture.freshDestination();
        List<Message> sent = messages(to, 20);

        List<SendResult> outcomes = outcomes(started(), sent);

        Map<String, String> kept = fixture.arrived(to, 20).stream()
                .collect(Collectors.toMap(
                        Arrived::eventId,
                        arrived -> arrived.headers().get(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX)));
        for (int i = 0; i < 20; i++) {
            assertThat(outcomes.get(i))
                    .isEqualTo(new SendResult.Confirmed(
                            kept.get(sent.get(i).event().eventId())));
        }
    }

    @Test
    void aBatchLargerThanTheLimitIsSplit() {
        Destination to = fixture.freshDestination();
        List<Message> sent = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            sent.add(message(to, RocketMqFixture.SIZE_LIMIT / 3));
        }

        assertConfirmed(outcomes(started(), sent));

        assertThat(fixture.arrived(to, 30)).hasSize(30);
    }

    @Test
    void whatRocketMqCannotCarryIsRefusedAndTheRestFlowsOn() {
        Destination to = fixture.freshDestination();
        Event event = Event.of("OrderCreated", "{}");
        List<Message> sent = List.of(
                message(to, event.toBuilder().header("DELAY", "3").build()),
                message(to, event.toBuilder().header("INNER_NUM", "3").build()),
                message(to, event.toBuilder().header("note", "one\u0001two").build()),
                message(to, event.toBuilder().header("no\u0002te", "text").build()),
                message(Destination.of(to.topic(), "TAG\u0001"), event),
                message(
                        to,
                        event.toBuilder().header("large", "v".repeat(40_000)).build()),
                message(Destination.of("TBW 102"), event),
                message(Destination.of("SCHEDULE_TOPIC_XXXX"), event),
                message(to, 0),
                message(
                        to,
                        event.toBuilder()
                                .header("blank", " ")
                                .header("nul", "a\0b")
                                .build()));

        List<SendResult> outcomes = outcomes(started(), sent);

        assertThat(outcomes.subList(0, 9)).allMatch(outcome -> failureOrNull(outcome) == SendFailure.ILLEGAL_MESSAGE);
        assertConfirmed(outcomes.subList(9, 10));
        assertThat(fixture.arrived(to, 1).get(0).headers())
                .containsEntry("nul", "a\0b")
                .doesNotContainKey("blank");
    }

    @Test
    void aBrokerThatMayCreatesAnUnknownTopicIfTheTransportLetsIt() {
        Destination unknown = fixture.unknownDestination();
        RocketMqTransport transport = started(builder -> builder.createTopics(true));

        assertThat(transport.probe(SendTarget.topic(unknown.topic()))).isTrue();
        assertConfirmed(outcomes(transport, messages(unknown, 3)));

        assertThat(fixture.arrived(unknown, 3)).hasSize(3);
    }

    @Test
    void closingOneTransportLeavesAnotherAlone() {
        Destination to = fixture.freshDestination();
        RocketMqTransport one = started();
        RocketMqTransport other = started();
        assertConfirmed(outcomes(one, messages(to, 1)));

        one.close();

        assertConfirmed(outcomes(other, messages(to, 1)));
    }

    @Test
    void theClientLogsThroughTheApplication() {
        assertThat(org.apache.rocketmq.logging.org.slf4j.LoggerFactory.getLogger("RocketmqClient"))
                .isInstanceOf(ForwardingLogger.class);
        assertThatThrownBy(() -> Class.forName("org.apache.rocketmq.logging.ch.qos.logback.classic.LoggerContext"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void unsafeSettingsDoNotStart() {
        assertRefused(b -> b.retryAnotherBrokerWhenNotStoreOK(false), Reason.UNSAFE_SETTING, "NotStoreOK=true");
        assertRefused(b -> b.waitStoreMsgOK(false), Reason.UNSAFE_SETTING, "waitStoreMsgOK=true");
        assertRefused(
                b -> b.adjust(producer -> producer.setRetryAnotherBrokerWhenNotStoreOK(false)),
                Reason.UNSAFE_SETTING,
                "NotStoreOK=true");
        assertRefused(b -> b.sendTimeout(Duration.ZERO), Reason.BAD_SETTING, "sendTimeout");
        assertRefused(b -> b.producerGroup("no group"), Reason.BAD_SETTING, "no group");
    }

    private void assertRefused(UnaryOperator<RocketMqTransport.Builder> setting, Reason reason, String words) {
        assertThatThrownBy(() -> started(setting))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(words);
    }

    private RocketMqTransport started() {
        return started(builder -> builder);
    }

    private RocketMqTransport started(UnaryOperator<RocketMqTransport.Builder> settings) {
        RocketMqTransport transport = settings.apply(fixture.builder()).build();
        transport.start();
        open.add(transport);
        return transport;
    }
}
