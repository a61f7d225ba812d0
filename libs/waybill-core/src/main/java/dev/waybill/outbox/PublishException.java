package dev.waybill.outbox;

import org.jspecify.annotations.Nullable;

/** An event that was not accepted. Nothing was written. */
public final class PublishException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with the event. */
    public enum Reason {
        /** The payload is no JSON, or cannot be turned into it. */
        MALFORMED,
        /** The payload is over the outbox's limit. */
        TOO_LARGE,
        /** The event brings no destination, and no route leads from its type to one. */
        NO_DESTINATION
    }

    private final Reason reason;

    public PublishException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
