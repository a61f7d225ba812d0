package dev.waybill.starter.tracing;

import dev.waybill.message.Event;
import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import dev.waybill.outbox.PublishInterceptor;
import io.micrometer.observation.Observation;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** One span for each call that publishes; the events are stored with it and continue there. */
final class TracedPublishing implements PublishInterceptor {

    private final EventSpans spans;

    TracedPublishing(EventSpans spans) {
        this.spans = spans;
    }

    @Override
    @SuppressWarnings("try") // the scope is there to be closed
    public List<String> publish(List<Event> events, Supplier<List<String>> publishing) {
        String traceId = MDC.get(TraceId.KEY);
        String parent = MDC.get(TraceParent.HEADER);
        EventSpan span =
                spans.publish(events.get(0).type(), TraceParent.parse(parent).orElse(null), events.size());
        TraceParent own = span.traceParent();
        try (Observation.Scope ignored = span.open()) {
            put(TraceId.KEY, traceId); // a tracer that writes its own id there must not rename our trace
            put(TraceParent.HEADER, own == null ? parent : own.header());
            List<String> ids = publishing.get();
            span.end("appended");
            return ids;
        } catch (RuntimeException | Error e) {
            span.fail("failed", e);
            throw e;
        } finally {
            put(TraceId.KEY, traceId);
            put(TraceParent.HEADER, parent);
        }
    }

    private static void put(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }
}
