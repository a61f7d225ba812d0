package dev.waybill.starter.tracing;

import dev.waybill.inbox.EventHandler;
import dev.waybill.outbox.PublishInterceptor;
import dev.waybill.starter.EventTracing;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.Transport;

/** Traces by observations of Micrometer. */
final class ObservedEvents implements EventTracing {

    private final EventSpans spans;

    ObservedEvents(EventSpans spans) {
        this.spans = spans;
    }

    @Override
    public PublishInterceptor publishing() {
        return new TracedPublishing(spans);
    }

    @Override
    public Transport sending(Transport transport) {
        return new TracedTransport(transport, spans);
    }

    @Override
    public Receiver processing(String broker, Receiver receiver) {
        return new TracedReceiver(receiver, broker, spans);
    }

    @Override
    public EventHandler handling(EventHandler handler) {
        return new TracedHandler(handler);
    }
}
