package dev.waybill.guard.boot;

import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.json.JsonMapper;

/** Completes answers for one request: the code's configured name, the message in the caller's language, the trace id. */
final class AnswerFactory {

    private final CodeCatalogue catalogue;
    private final JsonMapper json;

    AnswerFactory(CodeCatalogue catalogue, JsonMapper json) {
        this.catalogue = catalogue;
        this.json = json;
    }

    /** An answer with a code of the catalogue. */
    @SuppressWarnings("NullAway") // data may be null: T is @Nullable Object here
    Answer<@Nullable Object> answer(
            Code code, @Nullable String detail, @Nullable Object data, HttpServletRequest request) {
        String message =
                detail == null ? catalogue.message(code, request.getHeader(HttpHeaders.ACCEPT_LANGUAGE)) : detail;
        return new Answer<>(catalogue.codeText(code), message, data, traceId(request));
    }

    /** A handler's answer, completed; a code that the catalogue doesn't know is the handler's own and stays. */
    Answer<?> complete(Answer<?> given, HttpServletRequest request) {
        Code code = catalogue.find(given.code());
        if (code == null) {
            return new Answer<>(given.code(), given.message(), given.data(), traceId(request));
        }
        return answer(code, given.message().isEmpty() ? null : given.message(), given.data(), request);
    }

    /** The HTTP status that belongs to the code of this answer. */
    int statusOf(Answer<?> given) {
        Code code = catalogue.find(given.code());
        return code == null ? Code.OK.status() : code.status();
    }

    String toJson(Object value) {
        return json.writeValueAsString(value);
    }

    private static String traceId(HttpServletRequest request) {
        Trace trace = TraceFilter.traceOf(request);
        return trace == null ? TraceContext.traceId() : trace.traceId();
    }
}
