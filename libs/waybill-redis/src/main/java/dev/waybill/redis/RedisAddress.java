package dev.waybill.redis;

import dev.waybill.redis.RedisUnavailableException.Reason;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads addresses of Redis, and tells a refused login from a Redis that is away. */
final class RedisAddress {

    /** The first word of Redis's error replies to a login, see its ACL documentation. */
    private static final List<String> LOGIN_ERRORS = List.of("WRONGPASS", "NOAUTH");

    private RedisAddress() {}

    /**
     * Whether a link can be made for it. A password with {@code #}, {@code ?} or {@code /} in it ends the address too early:
     * its first half would be taken for the host, and be logged as such.
     */
    static boolean isValid(String text) {
        try {
            RedisURI address = RedisURI.create(text);
            return !address.getSentinels().isEmpty() || address.getSocket() != null || isWhole(URI.create(text));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean isWhole(URI uri) {
        return uri.getHost() != null
                && uri.getFragment() == null
                && (uri.getQuery() == null || !uri.getQuery().contains("@"));
    }

    /** Why an attempt to connect failed. */
    static Reason reasonOf(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null && LOGIN_ERRORS.stream().anyMatch(message::startsWith)) {
                return Reason.LOGIN_REFUSED;
            }
        }
        return Reason.NOT_CONNECTED;
    }
}
