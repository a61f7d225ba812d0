package dev.waybill.guard.web;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request is refused, for a reason that the catalogue knows. The exception handler turns it into the answer; services throw
 * it too, e.g. {@code new RefusedException(Code.NOT_FOUND)}.
 *
 * <p>{@code detail} replaces the catalogued message and reaches the caller as it is: never put a caller's own text into it.
 */
public class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Code code;
    private final @Nullable String detail;

    @SuppressWarnings("serial") // Map.copyOf is serialisable
    private final Map<String, String> headers;

    public RefusedException(Code code) {
        this(code, null, Map.of(), null);
    }

    public RefusedException(Code code, String detail) {
        this(code, detail, Map.of(), null);
    }

    public RefusedException(
            Code code, @Nullable String detail, Map<String, String> headers, @Nullable Throwable cause) {
        super(detail == null ? code.text() : code.text() + " " + detail, cause);
        this.code = code;
        this.detail = detail;
        this.headers = Map.copyOf(headers);
    }

    public Code code() {
        return code;
    }

    public @Nullable String detail() {
        return detail;
    }

    /** Response headers that belong to the refusal, such as Retry-After. */
    public Map<String, String> headers() {
        return headers;
    }
}
