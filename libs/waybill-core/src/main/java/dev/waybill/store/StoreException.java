package dev.waybill.store;

import org.jspecify.annotations.Nullable;

/** The database refused or did not answer. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What a caller can do about it. */
    public enum Reason {
        /** No connection: try again later. */
        UNAVAILABLE,
        /** Deadlock, lock time-out or serialisation failure: try again now. */
        CONFLICT,
        /** An event with this id (or unique key) is there already. */
        DUPLICATE,
        /** Table, column or privilege missing: a person has to mend it. */
        MISCONFIGURED,
        /** A value does not fit its column: another event may do. */
        VALUE,
        /** The table has no column for what was asked: ask for something else. */
        UNSUPPORTED,
        /** Anything else. */
        FAILED
    }

    private final Reason reason;

    public StoreException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
