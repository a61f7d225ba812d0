package dev.waybill.inventory.domain;

/** The stock gate did not answer: whether the step was taken is unknown. */
public final class GateUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public GateUnavailableException(Throwable cause) {
        super("the stock gate does not answer: " + cause.getMessage(), cause);
    }
}
