package dev.waybill.guard.store;

import org.jspecify.annotations.Nullable;

/** The store did not answer, or has no room: whether the step was taken is unknown to the caller. */
public final class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why, for machines: the metrics' tag. */
    public enum Reason {
        NOT_CONNECTED,
        TIMED_OUT,
        FAILED,
        FULL
    }

    private final Reason reason;

    public StoreUnavailableException(Reason reason, @Nullable Throwable cause) {
        super("guard store " + reason, cause, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
