package dev.waybill.message;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The text that names a trace: 1 to 64 letters, digits, {@code - _ . :}. Anything else is replaced, never passed on. */
public final class TraceId {

    /** Name under which the trace id stands in the logging context, in message headers and in logs. */
    public static final String KEY = "traceId";

    private static final int LONGEST = 64;

    private TraceId() {}

    public static boolean isAcceptable(@Nullable String text) {
        if (text == null || text.isEmpty() || text.length() > LONGEST) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "-_.:".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    /** A new trace id: 32 hex digits, good as a W3C trace id too. */
    public static String next() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
