package dev.waybill.redis;

import org.jspecify.annotations.Nullable;

/** Redis did not answer. The caller cannot know whether the step was taken, unless the link was not connected. */
public final class RedisUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why there is no answer, for programs. */
    public enum Reason {
        NOT_CONNECTED,
        /** Redis is there and refuses the user or the password. */
        LOGIN_REFUSED,
        TIMED_OUT,
        INTERRUPTED,
        FAILED
    }

    private final Reason reason;

    /** Made without a stack trace: during an outage every request makes one, and the trace always shows the same place. */
    RedisUnavailableException(Reason reason, @Nullable Throwable cause) {
        super("Redis " + reason, cause, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
