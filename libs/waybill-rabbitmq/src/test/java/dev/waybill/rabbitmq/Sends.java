package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Short words for sending in tests. */
final class Sends {

    private Sends() {}

    static Message message(Destination to, Event event) {
        return new Message(to, event, Envelope.encode(event, BodyFormat.ENVELOPE));
    }

    static Message message(Destination to, int size) {
        return new Message(to, Event.of("Sized", "{}"), new byte[size]);
    }

    static List<Message> messages(Destination to, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> message(to, Event.of("OrderCreated", "{\"number\":" + i + "}")))
                .toList();
    }

    /** One future per message, completed with its outcome; a second outcome fails it. */
    static List<CompletableFuture<SendResult>> send(Transport transport, List<Message> batch) {
        List<CompletableFuture<SendResult>> futures = new ArrayList<>();
        batch.forEach(message -> futures.add(new CompletableFuture<>()));
        transport.send(batch, (index, outcome) -> {
            if (!futures.get(index).complete(outcome)) {
                futures.get(index).obtrudeException(new AssertionError("two outcomes, the second: " + outcome));
            }
        });
        return futures;
    }

    static List<SendResult> outcomes(List<CompletableFuture<SendResult>> futures) {
        return futures.stream()
                .map(future -> future.orTimeout(20, TimeUnit.SECONDS).join())
                .toList();
    }

    static List<SendResult> outcomes(Transport transport, List<Message> batch) {
        return outcomes(send(transport, batch));
    }

    static SendResult outcome(Transport transport, Message message) {
        return outcomes(transport, List.of(message)).get(0);
    }

    static void assertConfirmed(List<SendResult> outcomes) {
        assertThat(outcomes).allMatch(SendResult.Confirmed.class::isInstance);
    }

    static SendFailure failure(SendResult outcome) {
        return Objects.requireNonNull(failureOrNull(outcome), "was confirmed");
    }

    static SendFailure failureOrNull(SendResult outcome) {
        return outcome instanceof NotConfirmed failed ? failed.failure() : null;
    }
}
