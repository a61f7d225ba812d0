package dev.waybill.guard.trace;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The W3C {@code traceparent} of a request: trace id (32 hex), span id (16 hex), flags (2 hex), all lower case.
 *
 * <p>Versions above 00 are read by their first four fields and written back as version 00, as the W3C text asks.
 */
public record TraceParent(String traceId, String spanId, String flags) {

    private static final Pattern WIRE =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final int LONGEST_READ = 512;

    /** Reads a header; anything malformed, all-zero or of version ff is as good as absent. */
    public static Optional<TraceParent> parse(@Nullable String header) {
        if (header == null || header.length() > LONGEST_READ) {
            return Optional.empty();
        }
        Matcher wire = WIRE.matcher(header);
        if (!wire.matches() || wire.group(1).equals("ff")) {
            return Optional.empty();
        }
        if (wire.group(1).equals("00") && wire.group(5) != null) {
            return Optional.empty();
        }
        if (isZero(wire.group(2)) || isZero(wire.group(3))) {
            return Optional.empty();
        }
        return Optional.of(new TraceParent(wire.group(2), wire.group(3), wire.group(4)));
    }

    /** The same trace, continued by another span. */
    public TraceParent withSpan(String newSpanId) {
        return new TraceParent(traceId, newSpanId, flags);
    }

    /** The header's text. */
    public String header() {
        return "00-" + traceId + "-" + spanId + "-" + flags;
    }

    static boolean isZero(String hex) {
        return hex.chars().allMatch(c -> c == '0');
    }
}
