package dev.waybill.servicetestkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Sends as another service would. */
public final class ConfirmedSend {

    private static final long SECONDS = 60;

    private ConfirmedSend() {}

    /** An event in Waybill's envelope. */
    public static Message message(Destination destination, Event event) {
        return new Message(destination, event, Envelope.encode(event, BodyFormat.ENVELOPE));
    }

    /** Returns when the broker has confirmed all of them. */
    public static void send(Transport transport, List<Message> messages) {
        List<CompletableFuture<SendResult>> results = messages.stream()
                .map(message -> new CompletableFuture<SendResult>().orTimeout(SECONDS, TimeUnit.SECONDS))
                .toList();
        transport.send(messages, (index, result) -> results.get(index).complete(result));
        results.forEach(result -> assertThat(result.join()).isInstanceOf(SendResult.Confirmed.class));
    }

    public static void send(Transport transport, Message message) {
        send(transport, List.of(message));
    }
}
