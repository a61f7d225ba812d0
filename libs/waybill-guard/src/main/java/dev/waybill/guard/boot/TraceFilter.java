package dev.waybill.guard.boot;

import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.message.TraceParent;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The outermost filter: gives the request its trace, puts the id into the MDC and the response's headers, and cleans up.
 *
 * <p>It runs again for async and error dispatches, under the same trace, because those run on other threads or after the
 * first pass has cleaned up. A request without a usable {@code traceparent} is shown to the filters behind this one with
 * the one that we made, so that a tracer there joins our trace instead of starting another.
 */
final class TraceFilter extends OncePerRequestFilter {

    private static final Logger log = LoggerFactory.getLogger(TraceFilter.class);
    private static final String ATTRIBUTE = TraceFilter.class.getName() + ".trace";

    private final TraceIdGenerator ids;

    TraceFilter(TraceIdGenerator ids) {
        this.ids = ids;
    }

    /** The trace that the filter gave to {@code request}, if the request got that far. */
    static @Nullable Trace traceOf(HttpServletRequest request) {
        return (Trace) request.getAttribute(ATTRIBUTE);
    }

    static void assign(HttpServletRequest request, Trace trace) {
        request.setAttribute(ATTRIBUTE, trace);
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    @SuppressWarnings("try") // the scope is there to be closed
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Trace trace = traceOf(request);
        HttpServletRequest seen = request;
        if (trace == null) {
            String traceparent = single(request.getHeaders(Trace.TRACEPARENT_HEADER));
            trace = ids.trace(request.getHeader(Trace.TRACE_ID_HEADER), traceparent);
            assign(request, trace);
            if (TraceParent.parse(traceparent).isEmpty()) {
                seen = new WithTraceparent(request, trace.parent().header());
            }
        }
        try (TraceContext.Scope ignored = TraceContext.open(trace)) {
            addHeaders(trace, response);
            try {
                chain.doFilter(seen, response);
            } catch (RuntimeException | ServletException failure) {
                if (response.isCommitted()) {
                    throw failure;
                }
                fail(request, response, failure);
            }
        }
    }

    /** A traceparent that is there twice is as good as none: nobody can tell which of them is the caller's. */
    private static @Nullable String single(Enumeration<String> headers) {
        String first = headers.hasMoreElements() ? headers.nextElement() : null;
        return headers.hasMoreElements() ? null : first;
    }

    /**
     * Logs a failure that no inner filter caught. The container would log it as well, but only after the trace has left the
     * MDC.
     */
    private static void fail(HttpServletRequest request, HttpServletResponse response, Exception failure)
            throws IOException {
        if (AnswerFailure.of(failure).isOurFault()) {
            log.error("[Trace] request failed in a filter method={}", request.getMethod(), failure);
        } else {
            log.debug(
                    "[Trace] request refused in a filter error={}",
                    failure.getClass().getName());
        }
        request.setAttribute(RequestDispatcher.ERROR_EXCEPTION, failure);
        response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
    }

    @Override
    protected void doFilterNestedErrorDispatch(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        doFilterInternal(request, response, chain);
    }

    static void addHeaders(Trace trace, HttpServletResponse response) {
        if (!response.isCommitted()) {
            response.setHeader(Trace.TRACE_ID_HEADER, trace.traceId());
            response.setHeader(Trace.TRACEPARENT_HEADER, trace.parent().header());
        }
    }

    private static final class WithTraceparent extends HttpServletRequestWrapper {

        private final String traceparent;

        WithTraceparent(HttpServletRequest request, String traceparent) {
            super(request);
            this.traceparent = traceparent;
        }

        @Override
        public @Nullable String getHeader(String name) {
            return isTraceparent(name) ? traceparent : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return isTraceparent(name) ? Collections.enumeration(Set.of(traceparent)) : super.getHeaders(name);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            Set<String> names = new LinkedHashSet<>(Collections.list(super.getHeaderNames()));
            names.removeIf(WithTraceparent::isTraceparent);
            names.add(Trace.TRACEPARENT_HEADER);
            return Collections.enumeration(names);
        }

        private static boolean isTraceparent(String name) {
            return name.equalsIgnoreCase(Trace.TRACEPARENT_HEADER);
        }
    }
}
