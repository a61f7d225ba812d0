package dev.waybill.guard.boot;

import dev.waybill.guard.web.Answer;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * The answer of an idempotent handler, to its first caller and to every repeat: the handler's own code and message, and its
 * data as JSON.
 *
 * <p>It is passed as a request attribute, because the handler's proxy can only return the type that the handler declares;
 * {@link AnswerBodyAdvice} reads it.
 */
record RenderedAnswer(String code, String message, String json) {

    private static final String ATTRIBUTE = RenderedAnswer.class.getName();

    /** Makes this the answer to {@code request}, whatever the handler returned. */
    void attachTo(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    static Optional<RenderedAnswer> takeFrom(HttpServletRequest request) {
        Object left = request.getAttribute(ATTRIBUTE);
        request.removeAttribute(ATTRIBUTE);
        return Optional.ofNullable((RenderedAnswer) left);
    }

    Answer<RenderedData> answer() {
        return new Answer<>(code, message, new RenderedData(json), "");
    }
}
