package dev.waybill.guard.idempotent;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the caller's key as {@link Idempotent} does: 1 to 128 visible ASCII characters. {@code Idempotency-Key} may be quoted,
 * as its draft has it. A handler that keeps the key in its own table asks here.
 *
 * <p>No key is {@code A0403}; one that breaks the rule, or two that differ, are {@code A0400}.
 */
public final class IdempotencyKey {

    public static final List<String> HEADERS = List.of("X-Idempotency-Key", "Idempotency-Key");

    private static final Pattern ACCEPTABLE = Pattern.compile("[!-~]{1,128}");

    private IdempotencyKey() {}

    /** The key in the headers; null where there is none. */
    public static @Nullable String fromHeader(HttpServletRequest request) {
        List<String> given = new ArrayList<>();
        for (String header : HEADERS) {
            Collections.list(request.getHeaders(header)).stream()
                    .map(IdempotencyKey::unquoted)
                    .filter(value -> !value.isEmpty())
                    .forEach(given::add);
        }
        if (given.stream().distinct().count() > 1) {
            throw new RefusedException(Code.BAD_INPUT);
        }
        return given.isEmpty() ? null : checked(given.get(0));
    }

    /** A value as a key; null where it is empty. */
    public static @Nullable String fromValue(@Nullable Object value) {
        String text = value == null ? "" : value.toString();
        return text.isEmpty() ? null : checked(text);
    }

    private static String unquoted(String value) {
        String text = value.strip();
        return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
    }

    private static String checked(String key) {
        if (!ACCEPTABLE.matcher(key).matches()) {
            throw new RefusedException(Code.BAD_INPUT);
        }
        return key;
    }
}
