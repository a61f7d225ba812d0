package dev.waybill.guard.web;

import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.guard.trace.TraceFilter;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.json.JsonMapper;

/** Completes answers for one request: wire name of the code, message in the caller's language, the request's trace id. */
public final class Answers {

    private final CodeCatalogue catalogue;
    private final JsonMapper json;

    public Answers(CodeCatalogue catalogue, JsonMapper json) {
        this.catalogue = catalogue;
        this.json = json;
    }

    /** An answer of ours. */
    @SuppressWarnings("NullAway") // data may be null: T is @Nullable Object here
    public Answer<@Nullable Object> answer(
            Code code, @Nullable String detail, @Nullable Object data, HttpServletRequest request) {
        String message =
                detail == null ? catalogue.message(code, request.getHeader(HttpHeaders.ACCEPT_LANGUAGE)) : detail;
        return new Answer<>(catalogue.wireName(code), message, data, traceId(request));
    }

    /** A handler's answer, completed; a code that the catalogue doesn't know is the handler's own and stays. */
    public Answer<?> complete(Answer<?> given, HttpServletRequest request) {
        Code code = catalogue.find(given.code());
        if (code == null) {
            return new Answer<>(given.code(), given.message(), given.data(), traceId(request));
        }
        return answer(code, given.message().isEmpty() ? null : given.message(), given.data(), request);
    }

    /** The status that an answer with this code travels under. */
    public int statusOf(Answer<?> given) {
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
