package dev.waybill.guard.boot;

import org.jspecify.annotations.Nullable;

/** The store did not answer, or has no room: whether the step was taken is unknown to the caller. */
final class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why, for machines: the metrics' tag. */
    enum Reason {
        NOT_CONNECTED,
        LOGIN_REFUSED,
        TIMED_OUT,
        FAILED,
        FULL
    }

    private final Reason reason;

    StoreUnavailableException(Reason reason, @Nullable Throwable cause) {
        super("guard store " + reason, cause, false, false);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }
}
