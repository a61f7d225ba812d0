package dev.waybill.starter.tracing;

import dev.waybill.message.TraceParent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The spans of the deliveries that this thread handles as one batch, by what the inbox says of them in the logging context. */
final class BatchSpans {

    private static final ThreadLocal<@Nullable Map<String, EventSpan>> OF_THREAD = new ThreadLocal<>();

    private BatchSpans() {}

    static void begin(List<EventSpan> batch) {
        Map<String, EventSpan> spans = new HashMap<>();
        for (EventSpan span : batch) {
            TraceParent own = span.traceParent();
            if (own != null) {
                spans.put(own.header(), span);
            }
        }
        OF_THREAD.set(spans);
    }

    static void end() {
        OF_THREAD.remove();
    }

    /** The span that this thread's event has; null outside of a batch. */
    static @Nullable EventSpan of(LoggedTrace trace) {
        Map<String, EventSpan> spans = OF_THREAD.get();
        return spans == null ? null : spans.get(trace.traceparent());
    }
}
