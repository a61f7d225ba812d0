package dev.waybill.guard.boot;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * The answer's {@code data} as JSON. The first run and every repeat of an idempotent request send these very characters, so
 * they can't differ by a type that was lost in between.
 *
 * <p>It is passed as a request attribute, because the handler's proxy can only return the type that the handler declares;
 * {@link AnswerBodyAdvice} reads it.
 */
record RenderedData(@JsonValue @JsonRawValue String json) {

    private static final String ATTRIBUTE = RenderedData.class.getName();

    /** Makes this the data of {@code request}'s answer, whatever the handler returned. */
    void attachTo(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    static Optional<RenderedData> takeFrom(HttpServletRequest request) {
        Object left = request.getAttribute(ATTRIBUTE);
        request.removeAttribute(ATTRIBUTE);
        return Optional.ofNullable((RenderedData) left);
    }
}
