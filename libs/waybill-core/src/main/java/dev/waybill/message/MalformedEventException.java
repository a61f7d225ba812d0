package dev.waybill.message;

import org.jspecify.annotations.Nullable;

/** An event that cannot be written as, or read from, an envelope: broken JSON or a missing field. Never worth a retry. */
public final class MalformedEventException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MalformedEventException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
