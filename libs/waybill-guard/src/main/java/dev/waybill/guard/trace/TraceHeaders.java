package dev.waybill.guard.trace;

import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/** Sends the current trace along with calls to other services; headers that are already there stay. */
public final class TraceHeaders implements ClientHttpRequestInterceptor {

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
