package dev.waybill.guard.trace;

import dev.waybill.message.TraceParent;

/**
 * The names of a request's trace: {@code traceId} is ours (X-Trace-Id), {@code parent} is the W3C one that OpenTelemetry
 * sees.
 *
 * <p>Both name the same trace whenever they can. They differ only when the caller's X-Trace-Id is not 32 hex digits, or
 * when the caller sent two headers that disagree: then X-Trace-Id names our trace, and the trace of traceparent is passed
 * on beside it.
 */
public record Trace(String traceId, TraceParent parent) {

    /** The header that carries our id. */
    public static final String TRACE_ID_HEADER = "X-Trace-Id";

    /** The W3C header. */
    public static final String TRACEPARENT_HEADER = TraceParent.HEADER;
}
