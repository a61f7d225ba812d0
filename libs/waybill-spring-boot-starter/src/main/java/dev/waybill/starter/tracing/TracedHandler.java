package dev.waybill.starter.tracing;

import dev.waybill.inbox.EventHandler;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import io.micrometer.observation.Observation;

/** In a batch, makes the event's own span the current one while its handler runs. */
final class TracedHandler implements EventHandler {

    private final EventHandler handler;

    TracedHandler(EventHandler handler) {
        this.handler = handler;
    }

    @Override
    @SuppressWarnings("try") // the scope is there to be closed
    public HandlerResult handle(Event event) {
        LoggedTrace trace = LoggedTrace.current();
        EventSpan span = BatchSpans.of(trace);
        if (span == null) {
            return handler.handle(event);
        }
        try (Observation.Scope ignored = span.open()) {
            trace.restore();
            return handler.handle(event);
        } finally {
            trace.restore();
        }
    }
}
