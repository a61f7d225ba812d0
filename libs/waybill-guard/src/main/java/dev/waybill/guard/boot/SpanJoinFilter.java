package dev.waybill.guard.boot;

import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.message.TraceParent;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Runs just behind Boot's observation filter and puts the span that Micrometer Tracing opened into the {@code traceparent},
 * so that the header names a span that exists. The request's own trace id stays the one that {@link TraceFilter} gave it.
 */
final class SpanJoinFilter extends OncePerRequestFilter {

    private final Tracer tracer;

    SpanJoinFilter(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    @SuppressWarnings("try") // the scope is there to be closed
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Trace trace = TraceFilter.traceOf(request);
        Span span = tracer.currentSpan();
        if (trace == null || span == null || !isReal(span)) {
            chain.doFilter(request, response);
            return;
        }
        boolean sampled = Boolean.TRUE.equals(span.context().sampled());
        Trace joined = new Trace(
                trace.traceId(),
                TraceParent.of(span.context().traceId(), span.context().spanId(), sampled));
        TraceFilter.assign(request, joined);
        try (TraceContext.Scope ignored = TraceContext.open(joined)) {
            TraceFilter.addHeaders(joined, response);
            chain.doFilter(request, response);
        }
    }

    /** A tracer that is switched off hands out spans without ids. */
    private static boolean isReal(Span span) {
        return span.context().traceId().chars().anyMatch(digit -> digit != '0');
    }
}
