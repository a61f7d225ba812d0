package dev.waybill.transport;

import org.jspecify.annotations.Nullable;

/** A transport that must not start as it is set up. */
public final class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    public enum Reason {
        /** A setting would break a promise. */
        UNSAFE_SETTING,
        /** A setting makes no sense. */
        BAD_SETTING,
        /** Used before start or after close. */
        NOT_RUNNING
    }

    private final Reason reason;

    public TransportException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
