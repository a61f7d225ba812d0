package dev.waybill.guard.web;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * The answer's {@code data}, rendered already: first run and repeat of an idempotent request send these very characters, so
 * they can't differ by a type that was lost in between.
 *
 * <p>It is left on the request, because a proxy must return what the handler declares; {@link AnswerBodies} picks it up.
 */
public record RenderedData(@JsonValue @JsonRawValue String json) {

    private static final String ATTRIBUTE = RenderedData.class.getName();

    /** Makes this the data of {@code request}'s answer, whatever the handler returned. */
    public void leaveOn(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    static Optional<RenderedData> takeFrom(HttpServletRequest request) {
        Object left = request.getAttribute(ATTRIBUTE);
        request.removeAttribute(ATTRIBUTE);
        return Optional.ofNullable((RenderedData) left);
    }
}
