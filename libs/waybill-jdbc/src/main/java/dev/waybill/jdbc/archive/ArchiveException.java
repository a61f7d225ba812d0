package dev.waybill.jdbc.archive;

import org.jspecify.annotations.Nullable;

/** An archive could not be written or read. */
public final class ArchiveException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What a caller can do about it. */
    public enum Reason {
        /** The folder is missing, full or not ours to write: a person has to mend it. */
        UNWRITABLE,
        /** The file cannot be opened or read. */
        UNREADABLE,
        /** The file is not what was written: take another copy of it. */
        DAMAGED,
        /** The table does not take the row as it was. */
        MISFIT
    }

    private final Reason reason;

    public ArchiveException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
