package dev.waybill.guard.boot;

import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/** Adds the current trace to the headers of calls to other services; headers that are already set stay. */
final class TraceHeaderInterceptor implements ClientHttpRequestInterceptor {

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        TraceContext.current().ifPresent(trace -> {
            HttpHeaders headers = request.getHeaders();
            if (!headers.containsHeader(Trace.TRACE_ID_HEADER)) {
                headers.set(Trace.TRACE_ID_HEADER, trace.traceId());
            }
            if (!headers.containsHeader(Trace.TRACEPARENT_HEADER)) {
                headers.set(Trace.TRACEPARENT_HEADER, trace.parent().header());
            }
        });
        return execution.execute(request, body);
    }
}
