package dev.waybill.message;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The W3C {@code traceparent}: trace id (32 hex digits), span id (16) and flags (2), all in lower case.
 *
 * <p>Headers of versions above 00 are read by their first four fields and written back as version 00, as the W3C text asks.
 */
public record TraceParent(String traceId, String spanId, String flags) {

    /**
     * The header's name, also in the logging context: what stands there is the trace of the work on this thread. An event may
     * carry a traceparent of its own under it.
     */
    public static final String HEADER = "traceparent";

    private static final Pattern FORMAT =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final int MAX_LENGTH = 512;
    private static final int TRACE_ID_LENGTH = 32;
    private static final String SAMPLED = "01";
    private static final String NOT_SAMPLED = "00";
    private static final int HEX = 16;

    /** The header of a span, by its ids. */
    public static TraceParent of(String traceId, String spanId, boolean sampled) {
        return new TraceParent(traceId, spanId, sampled ? SAMPLED : NOT_SAMPLED);
    }

    /** Reads a header; one that is malformed, has an all-zero id or is of version ff counts as absent. */
    public static Optional<TraceParent> parse(@Nullable String header) {
        if (header == null || header.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        Matcher fields = FORMAT.matcher(header);
        if (!fields.matches() || fields.group(1).equals("ff")) {
            return Optional.empty();
        }
        if (fields.group(1).equals("00") && fields.group(5) != null) {
            return Optional.empty();
        }
        if (isZero(fields.group(2)) || isZero(fields.group(3))) {
            return Optional.empty();
        }
        return Optional.of(new TraceParent(fields.group(2), fields.group(3), fields.group(4)));
    }

    /**
     * The header that is sent with an event, or null when nothing traces the event. An event that has a valid header keeps it;
     * an invalid one counts as absent. Else the header is made of the trace id by {@link #w3cTraceId} and of the event's id,
     * so that a repeat of the event is sent with the same text.
     */
    public static @Nullable String of(Event event) {
        Optional<TraceParent> own = parse(event.headers().get(HEADER));
        if (own.isPresent()) {
            return own.get().header();
        }
        String traceId = event.traceId();
        if (traceId == null) {
            return null;
        }
        String spanId = hex(nameBased(event.eventId()).getLeastSignificantBits());
        return new TraceParent(w3cTraceId(traceId), spanId, SAMPLED).header();
    }

    /**
     * The W3C trace id that stands for a trace id of ours: itself in lower case where it is one, else one that is made of the
     * text. The same text gives the same W3C id in every process, so no hop invents another one.
     */
    public static String w3cTraceId(String traceId) {
        if (isTraceId(traceId)) {
            return traceId.toLowerCase(Locale.ROOT);
        }
        UUID made = nameBased(traceId);
        return hex(made.getMostSignificantBits()) + hex(made.getLeastSignificantBits());
    }

    /**
     * The event without its header where {@link #of} would make one of the same trace and flags: for stores that have no place
     * for headers. Only the span id is lost then.
     */
    public static Event withoutImplied(Event event) {
        String traceId = event.traceId();
        return traceId != null
                        && parse(event.headers().get(HEADER))
                                .filter(own -> own.traceId().equals(w3cTraceId(traceId))
                                        && own.flags().equals(SAMPLED))
                                .isPresent()
                ? event.toBuilder().withoutHeader(HEADER).build()
                : event;
    }

    /** Whether the text can be a W3C trace id once it is in lower case: 32 hex digits, not all of them zero. */
    public static boolean isTraceId(String text) {
        return text.length() == TRACE_ID_LENGTH && text.chars().allMatch(HexFormat::isHexDigit) && !isZero(text);
    }

    /** The same trace, continued by another span. */
    public TraceParent withSpan(String newSpanId) {
        return new TraceParent(traceId, newSpanId, flags);
    }

    /** Whether the caller asks for the trace to be recorded: the lowest bit of the flags. */
    public boolean isSampled() {
        return (Integer.parseInt(flags, HEX) & 1) == 1;
    }

    /** The header's text. */
    public String header() {
        return "00-" + traceId + "-" + spanId + "-" + flags;
    }

    private static boolean isZero(String hex) {
        return hex.chars().allMatch(c -> c == '0');
    }

    private static UUID nameBased(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String hex(long bits) {
        return HexFormat.of().toHexDigits(bits);
    }
}
