package dev.waybill.guard.boot;

import dev.waybill.guard.ratelimit.RateLimit.Per;
import dev.waybill.guard.web.CallerIdentity;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How one handler is limited: the limit, whose bucket a call draws on, and what it costs. */
record RateLimitPlan(BucketLimit limit, Per per, @Nullable HandlerExpression key, Cost cost, CallerIdentity callers) {

    private static final String ROOT = "ratelimit:";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:@-]{1,64}");
    private static final String NO_VALUE = "-";

    /** What a call costs: always the same, or by its arguments. */
    sealed interface Cost {

        record Fixed(long tokens) implements Cost {}

        record Computed(HandlerExpression expression) implements Cost {}
    }

    /** The tokens that this call needs; an expression that yields no number costs what the cheapest call does. */
    long costOf(@Nullable Object[] arguments) {
        if (cost instanceof Cost.Computed computed) {
            return computed.expression().valueOf(arguments) instanceof Number number
                    ? Math.max(1, number.longValue())
                    : 1;
        }
        return ((Cost.Fixed) cost).tokens();
    }

    /** The bucket's name in the store. */
    String bucketOf(@Nullable HttpServletRequest request, @Nullable Object[] arguments) {
        return switch (per) {
            case API -> ROOT + "api:" + limit.name();
            case USER -> ROOT + "user:" + limit.name() + ":" + user(request);
            case IP -> ROOT + "ip:" + limit.name() + ":" + address(request);
            case EXPRESSION -> ROOT + "key:" + limit.name() + ":" + plain(value(arguments));
        };
    }

    private @Nullable Object value(@Nullable Object[] arguments) {
        return key == null ? null : key.valueOf(arguments);
    }

    /**
     * A caller without a name is told apart by its address: in a shared bucket one caller could use up everybody's tokens.
     */
    private String user(@Nullable HttpServletRequest request) {
        String name = request == null ? null : callers.of(request);
        return name == null ? "anonymous@" + address(request) : plain(name);
    }

    private static String address(@Nullable HttpServletRequest request) {
        return request == null ? NO_VALUE : plain(request.getRemoteAddr());
    }

    /** Text from outside goes into a key as it is only if it is short and harmless; otherwise its digest does. */
    private static String plain(@Nullable Object value) {
        if (value == null) {
            return NO_VALUE;
        }
        String text = value.toString();
        return PLAIN.matcher(text).matches() ? text : "sha256-" + sha256(text);
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
