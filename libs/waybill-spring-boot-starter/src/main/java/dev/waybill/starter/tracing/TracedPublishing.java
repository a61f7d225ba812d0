package dev.waybill.starter.tracing;

import dev.waybill.message.Event;
import dev.waybill.outbox.PublishInterceptor;
import io.micrometer.observation.Observation;
import java.util.List;
import java.util.function.Supplier;

/** One span for each call that publishes; the events are stored with it and continue there. */
final class TracedPublishing implements PublishInterceptor {

    private final EventSpans spans;

    TracedPublishing(EventSpans spans) {
        this.spans = spans;
    }

    @Override
    public List<String> publish(List<Event> events, Supplier<List<String>> publishing) {
        LoggedTrace before = LoggedTrace.current();
        EventSpan span = spans.publish(events.get(0).type(), before.parent(), events.size());
        try {
            List<String> ids = publish(span, before, publishing);
            span.end("appended");
            return ids;
        } catch (RuntimeException | Error e) {
            span.fail("failed", e);
            throw e;
        } finally {
            before.restore();
        }
    }

    @SuppressWarnings("try") // the scope is there to be closed
    private static List<String> publish(EventSpan span, LoggedTrace before, Supplier<List<String>> publishing) {
        try (Observation.Scope ignored = span.open()) {
            before.under(span.traceParent()).restore();
            return publishing.get();
        }
    }
}
