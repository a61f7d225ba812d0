package dev.waybill.starter.tracing;

import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.message.TraceParent;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import io.micrometer.common.KeyValues;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A span for each attempt to send, from the call to the broker's answer. The message carries it on. */
final class TracedTransport implements Transport {

    private final Transport transport;
    private final EventSpans spans;

    TracedTransport(Transport transport, EventSpans spans) {
        this.transport = transport;
        this.spans = spans;
    }

    @Override
    public void send(List<Message> batch, SendResults results) {
        List<EventSpan> begun = new ArrayList<>(batch.size());
        List<Message> messages = new ArrayList<>(batch.size());
        for (Message message : batch) {
            EventSpan span = begin(message);
            begun.add(span);
            messages.add(under(span.traceParent(), message));
        }
        SendSpans tracing = new SendSpans(begun, results);
        try {
            transport.send(messages, tracing);
        } catch (RuntimeException | Error e) {
            tracing.failRest(e);
            throw e;
        }
    }

    private EventSpan begin(Message message) {
        Event event = message.event();
        String topic = message.destination().topic();
        KeyValues known = KeyValues.of(
                "messaging.system",
                transport.name(),
                "messaging.destination.name",
                topic,
                "waybill.type",
                event.type());
        return spans.send(
                topic,
                TraceParent.parse(TraceParent.of(event)).orElse(null),
                EventSpans.ids(event.eventId(), event.traceId(), known));
    }

    /** The body stays as it is: what stands in the message's headers wins over what the envelope says. */
    private static Message under(@Nullable TraceParent span, Message message) {
        return span == null
                ? message
                : new Message(
                        message.destination(),
                        message.event().toBuilder()
                                .header(TraceParent.HEADER, span.header())
                                .build(),
                        message.body());
    }

    @Override
    public String name() {
        return transport.name();
    }

    @Override
    public void start() {
        transport.start();
    }

    @Override
    public int batchLimit() {
        return transport.batchLimit();
    }

    @Override
    public Duration batchLinger() {
        return transport.batchLinger();
    }

    @Override
    public boolean probe(SendTarget target) {
        return transport.probe(target);
    }

    @Override
    public @Nullable String obstacle() {
        return transport.obstacle();
    }

    @Override
    public void close() {
        transport.close();
    }
}
