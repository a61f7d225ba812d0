package dev.waybill.store;

/** An event was published where it could not commit together with business data. The message names the fix. */
public final class NoTransactionException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public NoTransactionException(String message) {
        super(message);
    }
}
