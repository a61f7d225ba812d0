package dev.waybill.testkit;

import static dev.waybill.testkit.SampleMessages.event;
import static dev.waybill.testkit.SampleMessages.ids;
import static dev.waybill.testkit.SampleMessages.message;
import static dev.waybill.testkit.SampleMessages.messages;
import static dev.waybill.testkit.SendResultCollector.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Destination;
import dev.waybill.message.Message;
import dev.waybill.testkit.TransportFixture.Arrived;
import dev.waybill.testkit.TransportFixture.Capability;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages that the broker cannot take fail alone, with the reason, and those beside them are sent. */
interface TransportFailureRules extends TransportRules {

    @Test
    default void anOversizeMessageFailsAloneInTheMiddleOfABatch() {
        Destination to = fixture().freshDestination();
        List<Message> sent = new ArrayList<>(messages(to, 9));
        String large = "\"" + "x".repeat(fixture().sizeLimit() + 1) + "\"";
        sent.add(4, message(to, event(to, 99).toBuilder().payload(large).build()));

        List<SendResult> results = send(started(TIMEOUT), sent).await(TIMEOUT);

        assertThat(failureOf(results.get(4))).isEqualTo(SendFailure.TOO_LARGE);
        results.remove(4);
        assertThat(results).allMatch(SendResult.Confirmed.class::isInstance);
        assertThat(fixture().arrived(to, 9)).hasSize(9);
    }

    @Test
    default void anIllegalTopicFailsForGoodAndAlone() {
        Destination to = fixture().freshDestination();
        Destination illegal = fixture().illegalDestination();
        List<Message> sent =
                List.of(message(to, event(to, 1)), message(illegal, event(illegal, 2)), message(to, event(to, 3)));

        List<SendResult> results = send(started(TIMEOUT), sent).await(TIMEOUT);

        assertThat(failureOf(results.get(1))).isEqualTo(SendFailure.ILLEGAL_MESSAGE);
        assertThat(results.get(0)).isInstanceOf(SendResult.Confirmed.class);
        assertThat(results.get(2)).isInstanceOf(SendResult.Confirmed.class);
    }

    @Test
    default void anUnknownTopicFailsAloneAndWorksOnceItExists() {
        Destination known = fixture().freshDestination();
        Destination unknown = fixture().unknownDestination();
        Transport transport = started(TIMEOUT);
        List<Message> sent = new ArrayList<>(messages(known, 50));
        sent.addAll(messages(unknown, 50));
        Collections.shuffle(sent, new java.util.Random(7));

        List<SendResult> results = send(transport, sent).await(TIMEOUT);

        for (int i = 0; i < sent.size(); i++) {
            boolean lost = sent.get(i).destination().equals(unknown);
            assertThat(failureOf(results.get(i))).isEqualTo(lost ? SendFailure.TOPIC_UNAVAILABLE : null);
        }
        assertThat(transport.probe(SendTarget.topic(unknown.topic()))).isFalse();
        assertThat(transport.probe(SendTarget.topic(known.topic()))).isTrue();
        assertThat(transport.probe(SendTarget.WHOLE_BROKER)).isTrue();

        fixture().create(unknown);
        await().atMost(RECOVERY).until(() -> transport.probe(SendTarget.topic(unknown.topic())));
        send(transport, messages(unknown, 3)).awaitConfirmed(TIMEOUT);
        assertThat(fixture().arrived(unknown, 3)).hasSize(3);
    }

    @Test
    default void aMessageThatNoQueueTakesIsReturnedOrStored() {
        Destination to = fixture().freshDestination();
        Transport transport = started(TIMEOUT);
        if (!fixture().capabilities().contains(Capability.RETURNS_UNROUTABLE)) {
            List<Message> unread = messages(to, 5);
            send(transport, unread).awaitConfirmed(TIMEOUT);
            assertThat(fixture().arrived(to, 5)).extracting(Arrived::eventId).hasSameElementsAs(ids(unread));
            return;
        }
        Destination other = fixture().freshDestination();
        fixture().unbind(to);
        List<Message> sent = new ArrayList<>(messages(to, 5));
        sent.addAll(messages(other, 5));

        List<SendResult> results = send(transport, sent).await(TIMEOUT);

        assertThat(results.subList(0, 5))
                .allMatch(result -> failureOf(result) == SendFailure.UNROUTABLE, "is returned");
        assertThat(results.subList(5, 10)).allMatch(SendResult.Confirmed.class::isInstance);

        fixture().bind(to);
        send(transport, messages(to, 5)).awaitConfirmed(TIMEOUT);
        assertThat(fixture().arrived(to, 5)).hasSize(5);
    }
}
