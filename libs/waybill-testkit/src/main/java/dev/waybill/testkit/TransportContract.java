package dev.waybill.testkit;

import static dev.waybill.testkit.SampleMessages.assertArrived;
import static dev.waybill.testkit.SampleMessages.byId;
import static dev.waybill.testkit.SampleMessages.confirmed;
import static dev.waybill.testkit.SampleMessages.event;
import static dev.waybill.testkit.SampleMessages.ids;
import static dev.waybill.testkit.SampleMessages.message;
import static dev.waybill.testkit.SampleMessages.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.message.TraceParent;
import dev.waybill.testkit.TransportFixture.Arrived;
import dev.waybill.testkit.TransportFixture.Capability;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every transport promises, as tests. An adapter's test is a subclass that makes a {@link TransportFixture}; it runs
 * against the real broker. Nothing is skipped: where a broker lacks a capability, the alternative is asserted.
 */
public abstract class TransportContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(2);

    /** What a busy machine may add to a time-out. */
    private static final Duration SLACK = Duration.ofSeconds(3);

    private static final Duration RECOVERY = Duration.ofSeconds(30);

    private TransportFixture fixture;
    private final List<Transport> transports = new ArrayList<>();

    /** Makes a fixture for one test. */
    protected abstract TransportFixture fixture();

    @BeforeEach
    final void open() {
        fixture = fixture();
    }

    @AfterEach
    final void close() {
        transports.forEach(Transport::close);
        fixture.close();
    }

    @Test
    void confirmedMessagesArriveToTheLetter() {
        Destination to = fixture.freshDestination();
        Transport transport = started(TIMEOUT);
        List<Message> sent = List.of(
                message(to, event(to, 1)),
                message(
                        to,
                        event(to, 2).toBuilder()
                                .payload("{\"text\":\"订单 ünï \\u0000 \\\"\"}")
                                .build()),
                message(
                        to,
                        event(to, 3).toBuilder()
                                .header("note", "äöü 中文 ; = | \t end")
                                .build()),
                message(
                        to,
                        event(to, 4).toBuilder()
                                .traceId("0af7651916cd43dd8448eb211c80319c")
                                .build()),
                message(
                        to,
                        event(to, 5).toBuilder()
                                .header(TraceParent.HEADER, "00-" + "a".repeat(32) + "-" + "b".repeat(16) + "-01")
                                .build()),
                message(to, Event.of("Bare", "[1, 2,   3]")),
                message(
                        to,
                        event(to, 7).toBuilder()
                                .payload("\"" + "x".repeat(200_000) + "\"")
                                .build()));

        send(transport, sent).awaitConfirmed(TIMEOUT);

        List<Arrived> arrived = fixture.arrived(to, sent.size());
        assertThat(arrived).hasSameSizeAs(sent);
        for (Message message : sent) {
            assertArrived(message, byId(arrived, message.event().eventId()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 255, 5_000})
    void everyMessageHasExactlyOneOutcome(int count) {
        List<Destination> topics =
                List.of(fixture.freshDestination(), fixture.freshDestination(), fixture.freshDestination());
        Transport transport = started(TIMEOUT);
        List<Message> sent = IntStream.range(0, count)
                .mapToObj(i -> message(topics.get(i % 3), event(topics.get(i % 3), i)))
                .toList();

        SendResultCollector answers = send(transport, sent);
        answers.awaitConfirmed(TIMEOUT);

        for (Destination topic : topics) {
            Set<String> expected =
                    ids(sent.stream().filter(m -> m.destination().equals(topic)).toList());
            List<Arrived> arrived = fixture.arrived(topic, expected.size());
            assertThat(arrived).extracting(Arrived::eventId).containsExactlyInAnyOrderElementsOf(expected);
        }
        assertThat(answers.repeats()).isZero();
    }

    @Test
    void anEmptyBatchIsNothing() {
        SendResultCollector answers = send(started(TIMEOUT), List.of());

        assertThat(answers.await(TIMEOUT)).isEmpty();
    }

    @Test
    void anOversizeMessageFailsAloneInTheMiddleOfABatch() {
        Destination to = fixture.freshDestination();
        List<Message> sent = new ArrayList<>(messages(to, 9));
        String large = "\"" + "x".repeat(fixture.sizeLimit() + 1) + "\"";
        sent.add(4, message(to, event(to, 99).toBuilder().payload(large).build()));

        List<SendResult> outcomes = send(started(TIMEOUT), sent).await(TIMEOUT);

        assertThat(SendResultCollector.failureOf(outcomes.get(4))).isEqualTo(SendFailure.TOO_LARGE);
        outcomes.remove(4);
        assertThat(outcomes).allMatch(SendResult.Confirmed.class::isInstance);
        assertThat(fixture.arrived(to, 9)).hasSize(9);
    }

    @Test
    void aMessageOfExactlyTheLimitGoesThrough() {
        Destination to = fixture.freshDestination();
        Event event = event(to, 1);
        int envelope = message(to, event.toBuilder().payload("\"\"").build()).body().length;
        String payload = "\"" + "x".repeat(fixture.sizeLimit() - envelope) + "\"";
        Message full = message(to, event.toBuilder().payload(payload).build());
        assertThat(full.body()).hasSize(fixture.sizeLimit());

        send(started(TIMEOUT), List.of(full)).awaitConfirmed(TIMEOUT);

        assertThat(fixture.arrived(to, 1).get(0).body()).isEqualTo(full.body());
    }

    @Test
    void anIllegalTopicFailsForGoodAndAlone() {
        Destination to = fixture.freshDestination();
        Destination illegal = fixture.illegalDestination();
        List<Message> sent =
                List.of(message(to, event(to, 1)), message(illegal, event(illegal, 2)), message(to, event(to, 3)));

        List<SendResult> outcomes = send(started(TIMEOUT), sent).await(TIMEOUT);

        assertThat(SendResultCollector.failureOf(outcomes.get(1))).isEqualTo(SendFailure.ILLEGAL_MESSAGE);
        assertThat(outcomes.get(0)).isInstanceOf(SendResult.Confirmed.class);
        assertThat(outcomes.get(2)).isInstanceOf(SendResult.Confirmed.class);
    }

    @Test
    void anUnknownTopicFailsAloneAndWorksOnceItIsThere() {
        Destination known = fixture.freshDestination();
        Destination unknown = fixture.unknownDestination();
        Transport transport = started(TIMEOUT);
        List<Message> sent = new ArrayList<>(messages(known, 50));
        sent.addAll(messages(unknown, 50));
        Collections.shuffle(sent, new java.util.Random(7));

        List<SendResult> outcomes = send(transport, sent).await(TIMEOUT);

        for (int i = 0; i < sent.size(); i++) {
            boolean lost = sent.get(i).destination().equals(unknown);
            assertThat(SendResultCollector.failureOf(outcomes.get(i)))
                    .isEqualTo(lost ? SendFailure.TOPIC_UNAVAILABLE : null);
        }
        assertThat(transport.probe(SendTarget.topic(unknown.topic()))).isFalse();
        assertThat(transport.probe(SendTarget.topic(known.topic()))).isTrue();
        assertThat(transport.probe(SendTarget.WHOLE_BROKER)).isTrue();

        fixture.create(unknown);
        await().atMost(RECOVERY).until(() -> transport.probe(SendTarget.topic(unknown.topic())));
        send(transport, messages(unknown, 3)).awaitConfirmed(TIMEOUT);
        assertThat(fixture.arrived(unknown, 3)).hasSize(3);
    }

    @Test
    void aMessageThatNoQueueTakesIsReturnedOrKept() {
        Destination to = fixture.freshDestination();
        Transport transport = started(TIMEOUT);
        if (!fixture.capabilities().contains(Capability.RETURNS_UNROUTABLE)) {
            List<Message> unread = messages(to, 5);
            send(transport, unread).awaitConfirmed(TIMEOUT);
            assertThat(fixture.arrived(to, 5)).extracting(Arrived::eventId).hasSameElementsAs(ids(unread));
            return;
        }
        Destination other = fixture.freshDestination();
        fixture.unbind(to);
        List<Message> sent = new ArrayList<>(messages(to, 5));
        sent.addAll(messages(other, 5));

        List<SendResult> outcomes = send(transport, sent).await(TIMEOUT);

        assertThat(outcomes.subList(0, 5))
                .allMatch(outcome -> SendResultCollector.failureOf(outcome) == SendFailure.UNROUTABLE, "is returned");
        assertThat(outcomes.subList(5, 10)).allMatch(SendResult.Confirmed.class::isInstance);

        fixture.bind(to);
        send(transport, messages(to, 5)).awaitConfirmed(TIMEOUT);
        assertThat(fixture.arrived(to, 5)).hasSize(5);
    }

    @Test
    void manyThreadsMaySendAtOnce() {
        Destination to = fixture.freshDestination();
        Transport transport = started(TIMEOUT);
        List<List<Message>> batches =
                IntStream.range(0, 40).mapToObj(i -> messages(to, 25)).toList();

        List<SendResultCollector> answers =
                batches.parallelStream().map(batch -> send(transport, batch)).toList();

        answers.forEach(each -> each.awaitConfirmed(TIMEOUT));
        Set<String> expected = ids(batches.stream().flatMap(List::stream).toList());
        assertThat(fixture.arrived(to, expected.size()))
                .extracting(Arrived::eventId)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void closeGivesAnOutcomeToEverythingOutstanding() {
        Destination to = fixture.freshDestination();
        Transport transport = started(TIMEOUT);
        send(transport, messages(to, 1)).awaitConfirmed(TIMEOUT);
        List<Message> sent = messages(to, 2_000);

        SendResultCollector answers = send(transport, sent);
        transport.close();

        List<SendResult> outcomes = answers.await(Duration.ofSeconds(1));
        assertThat(outcomes)
                .allMatch(outcome -> outcome instanceof SendResult.Confirmed
                        || SendResultCollector.failureOf(outcome) == SendFailure.CONNECTION_LOST);
        Set<String> arrived = arrivedIds(to, confirmed(sent, outcomes).size());
        assertThat(arrived).containsAll(confirmed(sent, outcomes));
    }

    @Test
    void startAndCloseMayComeTwiceAndInAnyOrder() {
        Destination to = fixture.freshDestination();
        Transport transport = transport(TIMEOUT);
        transport.close();
        transport.start();
        transport.start();
        send(transport, messages(to, 3)).awaitConfirmed(TIMEOUT);
        transport.close();
        transport.close();
        transport.start();
        send(transport, messages(to, 3)).awaitConfirmed(TIMEOUT);
        assertThat(fixture.arrived(to, 6)).hasSize(6);
    }

    @Test
    void nothingIsSentBeforeStartOrAfterClose() {
        Destination to = fixture.freshDestination();
        Transport transport = transport(TIMEOUT);
        assertNotRunning(transport, to);
        transport.start();
        transport.close();
        assertNotRunning(transport, to);
    }

    @Test
    @Tag("outage")
    void aPausedBrokerIsATimeOutAndGoesOnByItself() {
        Destination to = fixture.freshDestination();
        Transport transport = started(SHORT_TIMEOUT);
        send(transport, messages(to, 1)).awaitConfirmed(TIMEOUT);

        fixture.pause();
        List<SendResult> outcomes;
        long took;
        try {
            long began = System.nanoTime();
            outcomes = send(transport, messages(to, 20)).await(SHORT_TIMEOUT.plus(SLACK));
            took = System.nanoTime() - began;
            assertThat(transport.probe(SendTarget.topic(to.topic()))).isFalse();
        } finally {
            fixture.resume();
        }

        assertThat(outcomes)
                .allMatch(outcome -> SendResultCollector.failureOf(outcome) == SendFailure.TIMED_OUT, "timed out");
        assertThat(Duration.ofNanos(took)).isGreaterThan(SHORT_TIMEOUT.minusMillis(200));
        awaitRecovery(transport, to);
    }

    @Test
    @Tag("outage")
    void closeDoesNotWaitForABrokerThatStandsStill() {
        Destination to = fixture.freshDestination();
        Transport transport = started(TIMEOUT);
        send(transport, messages(to, 1)).awaitConfirmed(TIMEOUT);

        fixture.pause();
        try {
            SendResultCollector answers = send(transport, messages(to, 20));
            long began = System.nanoTime();
            transport.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SLACK);
            assertThat(answers.await(SLACK))
                    .allMatch(outcome -> SendResultCollector.failureOf(outcome) == SendFailure.CONNECTION_LOST);
        } finally {
            fixture.resume();
        }
    }

    /** One outage serves several questions, because each restart of a real broker takes seconds. */
    @Test
    @Tag("outage")
    void aKilledBrokerLosesNothingConfirmedAndIsFoundAgain() {
        Destination to = fixture.freshDestination();
        Transport transport = started(SHORT_TIMEOUT);
        awaitConfirmed(transport, to);
        Set<String> confirmed = new HashSet<>();

        SendingStream stream = new SendingStream(transport, to, SHORT_TIMEOUT.plus(SLACK));
        await().atMost(TIMEOUT).until(() -> stream.batches() >= 5);
        fixture.kill();
        confirmed.addAll(stream.stop());

        long began = System.nanoTime();
        List<SendResult> outcomes = send(transport, messages(to, 20)).await(SHORT_TIMEOUT.plus(SLACK));
        assertThat(outcomes).allMatch(outcome -> !(outcome instanceof SendResult.Confirmed));
        assertThat(SendResultCollector.failureOf(outcomes.get(0)))
                .extracting(SendFailure::scope)
                .isEqualTo(SendFailure.Scope.BROKER);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SHORT_TIMEOUT.plus(SLACK));
        assertThat(transport.probe(SendTarget.WHOLE_BROKER)).isFalse();
        assertThat(transport.probe(SendTarget.topic(to.topic()))).isFalse();

        Transport startedInTheDark = started(SHORT_TIMEOUT);
        assertThat(send(startedInTheDark, messages(to, 1)).await(SHORT_TIMEOUT.plus(SLACK)))
                .noneMatch(SendResult.Confirmed.class::isInstance);

        fixture.revive();
        awaitRecovery(transport, to);
        awaitRecovery(startedInTheDark, to);
        Set<String> arrived = new HashSet<>(arrivedIds(to, confirmed.size()));
        // Later messages count too, so that a broker still busy with its recovery may have shown those first.
        await().atMost(RECOVERY).untilAsserted(() -> {
            if (!arrived.containsAll(confirmed)) {
                arrived.addAll(arrivedIds(to, 1));
            }
            assertThat(arrived).containsAll(confirmed);
        });
    }

    private void awaitRecovery(Transport transport, Destination to) {
        await().atMost(RECOVERY)
                .until(() -> transport.probe(SendTarget.WHOLE_BROKER) && transport.probe(SendTarget.topic(to.topic())));
        awaitConfirmed(transport, to);
        send(transport, messages(to, 50)).awaitConfirmed(TIMEOUT);
    }

    /** Sends until one is confirmed: with so short a time-out the first may be too late. */
    private void awaitConfirmed(Transport transport, Destination to) {
        await().atMost(RECOVERY)
                .until(() -> send(transport, messages(to, 1))
                                .await(SHORT_TIMEOUT.plus(SLACK))
                                .get(0)
                        instanceof SendResult.Confirmed);
    }

    private Transport transport(Duration sendTimeout) {
        Transport transport = fixture.transport(sendTimeout);
        transports.add(transport);
        return transport;
    }

    private Transport started(Duration sendTimeout) {
        Transport transport = transport(sendTimeout);
        transport.start();
        return transport;
    }

    static SendResultCollector send(Transport transport, List<Message> batch) {
        SendResultCollector answers = new SendResultCollector(batch.size());
        transport.send(batch, answers);
        return answers;
    }

    private static void assertNotRunning(Transport transport, Destination to) {
        assertThatThrownBy(() -> send(transport, messages(to, 1)))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.reason()).isEqualTo(TransportException.Reason.NOT_RUNNING));
    }

    private Set<String> arrivedIds(Destination to, int atLeast) {
        return fixture.arrived(to, atLeast).stream().map(Arrived::eventId).collect(Collectors.toSet());
    }
}
