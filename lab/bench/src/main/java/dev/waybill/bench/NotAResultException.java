package dev.waybill.bench;

/** A repeat whose correctness check failed; the message says what was wrong. Its figures are not shown. */
final class NotAResultException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotAResultException(String reason) {
        super(reason);
    }
}
