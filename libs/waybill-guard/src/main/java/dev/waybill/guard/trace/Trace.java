package dev.waybill.guard.trace;

import dev.waybill.message.TraceId;
import dev.waybill.message.TraceParent;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a request is called: {@code traceId} is ours (X-Trace-Id), {@code parent} is the W3C side that OpenTelemetry sees.
 *
 * <p>Both name the same trace whenever they can. They differ only when the caller's X-Trace-Id is not 32 hex digits, or when
 * the caller sent two headers that disagree: then X-Trace-Id names our trace and traceparent goes on unchanged beside it.
 */
public record Trace(String traceId, TraceParent parent) {

    /** The header that carries our id. */
    public static final String TRACE_ID_HEADER = "X-Trace-Id";

    /** The W3C header. */
    public static final String TRACEPARENT_HEADER = "traceparent";

    /** Names a request by what it brought along, and fills the gaps from {@code ids}. */
    public static Trace from(@Nullable String traceIdHeader, @Nullable String traceparentHeader, TraceIds ids) {
        Optional<TraceParent> given = TraceParent.parse(traceparentHeader);
        if (traceIdHeader == null || !TraceId.isAcceptable(traceIdHeader)) {
            TraceParent parent = given.orElseGet(ids::root);
            return new Trace(parent.traceId(), parent.withSpan(ids.spanId()));
        }
        if (given.isPresent()) {
            return new Trace(traceIdHeader, given.get().withSpan(ids.spanId()));
        }
        if (TraceParent.isTraceId(traceIdHeader)) {
            return new Trace(traceIdHeader, ids.root(traceIdHeader.toLowerCase(Locale.ROOT)));
        }
        return new Trace(traceIdHeader, ids.root());
    }
}
