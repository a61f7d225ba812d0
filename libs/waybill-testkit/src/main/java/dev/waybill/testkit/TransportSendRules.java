package dev.waybill.testkit;

import static dev.waybill.testkit.SampleMessages.assertArrived;
import static dev.waybill.testkit.SampleMessages.byId;
import static dev.waybill.testkit.SampleMessages.event;
import static dev.waybill.testkit.SampleMessages.ids;
import static dev.waybill.testkit.SampleMessages.message;
import static dev.waybill.testkit.SampleMessages.messages;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.message.TraceParent;
import dev.waybill.testkit.TransportFixture.Arrived;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Send: every message has one result, and what is confirmed arrives unchanged. */
interface TransportSendRules extends TransportRules {

    @Test
    default void confirmedMessagesArriveUnchanged() {
        Destination to = fixture().freshDestination();
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

        List<Arrived> arrived = fixture().arrived(to, sent.size());
        assertThat(arrived).hasSameSizeAs(sent);
        for (Message message : sent) {
            assertArrived(message, byId(arrived, message.event().eventId()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 255, 5_000})
    default void everyMessageHasExactlyOneResult(int count) {
        List<Destination> topics = List.of(
                fixture().freshDestination(),
                fixture().freshDestination(),
                fixture().freshDestination());
        Transport transport = started(TIMEOUT);
        List<Message> sent = IntStream.range(0, count)
                .mapToObj(i -> message(topics.get(i % 3), event(topics.get(i % 3), i)))
                .toList();

        SendResultCollector collector = send(transport, sent);
        collector.awaitConfirmed(TIMEOUT);

        for (Destination topic : topics) {
            Set<String> expected =
                    ids(sent.stream().filter(m -> m.destination().equals(topic)).toList());
            assertOnceEach(fixture().arrived(topic, expected.size()), expected);
        }
        assertThat(collector.repeats()).isZero();
    }

    @Test
    default void anEmptyBatchHasNoResults() {
        SendResultCollector collector = send(started(TIMEOUT), List.of());

        assertThat(collector.await(TIMEOUT)).isEmpty();
    }

    @Test
    default void aMessageOfExactlyTheSizeLimitArrives() {
        Destination to = fixture().freshDestination();
        Event event = event(to, 1);
        int envelope = message(to, event.toBuilder().payload("\"\"").build()).body().length;
        String payload = "\"" + "x".repeat(fixture().sizeLimit() - envelope) + "\"";
        Message full = message(to, event.toBuilder().payload(payload).build());
        assertThat(full.body()).hasSize(fixture().sizeLimit());

        send(started(TIMEOUT), List.of(full)).awaitConfirmed(TIMEOUT);

        assertThat(fixture().arrived(to, 1).get(0).body()).isEqualTo(full.body());
    }

    @Test
    default void manyThreadsMaySendAtOnce() {
        Destination to = fixture().freshDestination();
        Transport transport = started(TIMEOUT);
        List<List<Message>> batches =
                IntStream.range(0, 40).mapToObj(i -> messages(to, 25)).toList();

        List<SendResultCollector> collector =
                batches.parallelStream().map(batch -> send(transport, batch)).toList();

        collector.forEach(each -> each.awaitConfirmed(TIMEOUT));
        Set<String> expected = ids(batches.stream().flatMap(List::stream).toList());
        assertOnceEach(fixture().arrived(to, expected.size()), expected);
    }

    private static void assertOnceEach(List<Arrived> arrived, Set<String> expected) {
        assertThat(arrived).hasSameSizeAs(expected);
        assertThat(arrived.stream().map(Arrived::eventId).collect(Collectors.toSet()))
                .isEqualTo(expected);
    }
}
