package dev.waybill.starter.tracing;

import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The trace in the logging context, where outbox and inbox take it from. A tracer may write ids of its own there whenever a
 * span's scope opens or ends; {@link #restore} puts ours back.
 */
record LoggedTrace(@Nullable String traceId, @Nullable String traceparent) {

    static LoggedTrace current() {
        return new LoggedTrace(MDC.get(TraceId.KEY), MDC.get(TraceParent.HEADER));
    }

    @Nullable TraceParent parent() {
        return TraceParent.parse(traceparent).orElse(null);
    }

    /** The same trace of ours, continued by this span, if there is one. */
    LoggedTrace under(@Nullable TraceParent span) {
        return span == null ? this : new LoggedTrace(traceId, span.header());
    }

    void restore() {
        put(TraceId.KEY, traceId);
        put(TraceParent.HEADER, traceparent);
    }

    private static void put(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }
}
