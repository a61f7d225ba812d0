package dev.waybill.message;

import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The W3C {@code traceparent} that goes out beside an event's own trace id. An event that brings one as a header keeps
 * it; a trace id of 32 hex digits is the W3C trace id; any other text is sent beside a W3C id made from the event's id.
 */
public final class TraceParent {

    /** Header under which an event carries a traceparent of its own. */
    public static final String HEADER = "traceparent";

    private static final int W3C_LENGTH = 32;
    private static final String INVALID_TRACE_ID = "0".repeat(W3C_LENGTH);

    private TraceParent() {}

    /** The event's traceparent, or null when nothing traces it. */
    public static @Nullable String of(Event event) {
        String own = event.headers().get(HEADER);
        if (own != null) {
            return own;
        }
        String traceId = event.traceId();
        if (traceId == null) {
            return null;
        }
        UUID seed = UUID.nameUUIDFromBytes(event.eventId().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        String w3c = isW3c(traceId)
                ? traceId.toLowerCase(Locale.ROOT)
                : hex(seed.getMostSignificantBits()) + hex(seed.getLeastSignificantBits());
        return "00-" + w3c + "-" + hex(seed.getLeastSignificantBits()) + "-01";
    }

    private static boolean isW3c(String traceId) {
        return traceId.length() == W3C_LENGTH
                && traceId.chars().allMatch(HexFormat::isHexDigit)
                && !traceId.equals(INVALID_TRACE_ID);
    }

    private static String hex(long bits) {
        return HexFormat.of().toHexDigits(bits);
    }
}
