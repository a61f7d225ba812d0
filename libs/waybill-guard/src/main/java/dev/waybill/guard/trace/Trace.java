package dev.waybill.guard.trace;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
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

    private static final Pattern ACCEPTABLE = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
    private static final Pattern W3C_TRACE_ID = Pattern.compile("[0-9A-Fa-f]{32}");

    /** 1 to 64 letters, digits and {@code - _ . :}; everything else is replaced by an id of our own and never logged. */
    public static boolean isAcceptable(@Nullable String traceId) {
        return traceId != null && ACCEPTABLE.matcher(traceId).matches();
    }

    /** Names a request by what it brought along, and fills the gaps from {@code ids}. */
    public static Trace from(@Nullable String traceIdHeader, @Nullable String traceparentHeader, TraceIds ids) {
        Optional<TraceParent> given = TraceParent.parse(traceparentHeader);
        if (traceIdHeader == null || !isAcceptable(traceIdHeader)) {
            TraceParent parent = given.orElseGet(ids::root);
            return new Trace(parent.traceId(), parent.withSpan(ids.spanId()));
        }
        if (given.isPresent()) {
            return new Trace(traceIdHeader, given.get().withSpan(ids.spanId()));
        }
        String lower = traceIdHeader.toLowerCase(Locale.ROOT);
        if (W3C_TRACE_ID.matcher(traceIdHeader).matches() && !TraceParent.isZero(lower)) {
            return new Trace(traceIdHeader, ids.root(lower));
        }
        return new Trace(traceIdHeader, ids.root());
    }
}
