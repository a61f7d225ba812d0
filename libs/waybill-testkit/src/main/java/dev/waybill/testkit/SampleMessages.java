package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.message.TraceParent;
import dev.waybill.testkit.TransportFixture.Arrived;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Messages to send in a contract, and checks that they arrived unchanged. */
final class SampleMessages {

    private SampleMessages() {}

    static Set<String> confirmed(List<Message> sent, List<SendResult> results) {
        Set<String> confirmed = new HashSet<>();
        for (int i = 0; i < sent.size(); i++) {
            if (results.get(i) instanceof SendResult.Confirmed) {
                confirmed.add(sent.get(i).event().eventId());
            }
        }
        return confirmed;
    }

    static Set<String> ids(List<Message> messages) {
        return messages.stream().map(m -> m.event().eventId()).collect(Collectors.toSet());
    }

    static List<Message> messages(Destination to, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> message(to, event(to, i)))
                .toList();
    }

    static Event event(Destination to, int number) {
        return Event.builder("OrderCreated")
                .aggregate("Order", "ORD" + number)
                .bizKey("ORD" + number)
                .schemaVersion(2)
                .traceId("trace-" + number)
                .header("causationId", "cause-" + number)
                .payload("{\"orderNo\":\"ORD" + number + "\", \"amount\": 12.50}")
                .destination(to)
                .build();
    }

    static Message message(Destination to, Event event) {
        return new Message(to, event, Envelope.encode(event, BodyFormat.ENVELOPE));
    }

    static Arrived byId(List<Arrived> arrived, String eventId) {
        return arrived.stream()
                .filter(each -> each.eventId().equals(eventId))
                .findFirst()
                .orElseThrow(() -> new AssertionError("event " + eventId + " did not arrive"));
    }

    static void assertArrived(Message sent, Arrived arrived) {
        Event event = sent.event();
        assertThat(arrived.body()).isEqualTo(sent.body());
        assertThat(arrived.eventType()).isEqualTo(event.type());
        assertThat(arrived.tag()).isEqualTo(sent.destination().tag());
        assertHeaders(arrived.headers(), event);
    }

    private static void assertHeaders(Map<String, String> headers, Event event) {
        assertThat(headers).containsAllEntriesOf(event.headers());
        assertThat(headers).containsEntry("schemaVersion", Integer.toString(event.schemaVersion()));
        if (event.traceId() != null) {
            assertThat(headers).containsEntry("traceId", event.traceId());
            assertThat(headers).containsEntry(TraceParent.HEADER, TraceParent.of(event));
        }
        if (event.bizKey() != null) {
            assertThat(headers).containsEntry("bizKey", event.bizKey());
        }
    }

    static void assertUnchanged(Delivery received, SubscriptionSpec spec, Message sent, int attempt) {
        assertThat(received.source()).isEqualTo(spec.source());
        assertThat(received.group()).isEqualTo(spec.group());
        assertThat(received.messageId()).isEqualTo(sent.event().eventId());
        assertThat(received.body()).isEqualTo(sent.body());
        assertThat(received.attempt()).isEqualTo(attempt);
        assertHeaders(received.headers(), sent.event());
    }

    static void assertUnchanged(DeadLetter letter, SubscriptionSpec spec, Message sent, String error) {
        assertThat(letter.source()).isEqualTo(spec.source());
        assertThat(letter.group()).isEqualTo(spec.group());
        assertThat(letter.messageId()).isEqualTo(sent.event().eventId());
        assertThat(letter.body()).isEqualTo(sent.body());
        assertThat(letter.error()).isEqualTo(error);
        assertHeaders(letter.headers(), sent.event());
    }
}
