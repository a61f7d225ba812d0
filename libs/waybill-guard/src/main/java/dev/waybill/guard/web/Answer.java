package dev.waybill.guard.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/**
 * What every caller gets: {@code {code, message, data, traceId}}.
 *
 * <p>Handlers return {@code Answer.ok(data)}, or just the data, which is wrapped. Code, message and traceId are completed
 * when the answer is written: the code under its configured name, the message in the caller's language unless one is given
 * here.
 */
@JsonPropertyOrder({"code", "message", "data", "traceId"})
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Answer<T extends @Nullable Object>(String code, String message, T data, String traceId) {

    /** Success. */
    public static <T extends @Nullable Object> Answer<T> ok(T data) {
        return new Answer<>(Code.OK.text(), "", data, "");
    }

    /** A catalogued code with its catalogued message. */
    public static <T extends @Nullable Object> Answer<T> of(Code code, T data) {
        return new Answer<>(code.text(), "", data, "");
    }
}
