package dev.waybill.guard.boot;

import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.guard.web.Code;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.apache.coyote.http11.Http11InputBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * Answers for Tomcat itself: requests that are refused before any filter runs (headers too large, a path it won't decode, a
 * body that is late or broken).
 *
 * <p>Without it those leave as Tomcat's HTML page, in neither the shape nor the trace that everything else has.
 */
final class AnswerValve extends ErrorReportValve {

    private static final Logger log = LoggerFactory.getLogger(AnswerValve.class);

    /** A transfer encoding or a version of HTTP that nobody has: to the caller a mistake of theirs, not a failure of ours. */
    private static final Set<Integer> TOMCATS_LACK_OF_SUPPORT =
            Set.of(HttpStatus.NOT_IMPLEMENTED.value(), HttpStatus.HTTP_VERSION_NOT_SUPPORTED.value());

    private final AnswerFactory answers;
    private final TraceIdGenerator ids;

    AnswerValve(AnswerFactory answers, TraceIdGenerator ids) {
        this.answers = answers;
        this.ids = ids;
    }

    /** A request whose body was refused goes no further. */
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (request.getAttribute(BodyFirstAdapter.REFUSAL) instanceof Integer status) {
            response.setStatus(status);
            response.setError();
            // Where Tomcat refuses the path too, it has suspended the response, and the answer would be empty.
            response.setSuspended(false);
            report(request, response, null);
        } else {
            super.invoke(request, response);
        }
    }

    @Override
    @SuppressWarnings("try") // the scope is there to be closed
    protected void report(Request request, Response response, @Nullable Throwable thrown) {
        int status = response.getStatus();
        if (status < HttpStatus.BAD_REQUEST.value()
                || response.getContentWritten() > 0
                || !response.setErrorReported()) {
            return;
        }
        if (TOMCATS_LACK_OF_SUPPORT.contains(status)) {
            status = HttpStatus.BAD_REQUEST.value();
            response.setStatus(status);
        }
        Trace trace = TraceFilter.traceOf(request);
        if (trace == null) {
            trace = ids.trace(request.getHeader(Trace.TRACE_ID_HEADER), request.getHeader(Trace.TRACEPARENT_HEADER));
        }
        response.setHeader(Trace.TRACE_ID_HEADER, trace.traceId());
        response.setHeader(Trace.TRACEPARENT_HEADER, trace.parent().header());
        if (willBeClosed(request, response)) {
            response.setHeader(HttpHeaders.CONNECTION, "close");
        }
        try (TraceContext.Scope ignored = TraceContext.open(trace)) {
            log.debug("[Answer] refused by the server status={}", status);
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            response.setCharacterEncoding(StandardCharsets.UTF_8);
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(answers.toJson(answers.answer(Code.ofStatus(status), null, null, request)));
                response.finishResponse();
            }
        } catch (IOException | IllegalStateException callerGone) {
            log.debug("[Answer] caller gone before the error was told", callerGone);
        }
    }

    /**
     * Whether Tomcat has given up the connection. It says so by itself behind most statuses, but not behind a 417: a caller
     * that was not told sends the next request into a closed connection and gets no answer. HTTP/2 knows no such header.
     */
    private static boolean willBeClosed(Request request, Response response) {
        AtomicBoolean givenUp = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_ERROR, givenUp);
        return givenUp.get() && request.getCoyoteRequest().getInputBuffer() instanceof Http11InputBuffer;
    }
}
