package dev.waybill.store;

/**
 * How much one claim may take.
 *
 * @param rows most rows; none for zero
 * @param bytes most bytes of stored events, about. The first row is taken however large it is, or it would never be sent.
 */
public record ClaimLimit(int rows, long bytes) {

    /** So many rows, whatever their size. */
    public static ClaimLimit ofRows(int rows) {
        return new ClaimLimit(rows, Long.MAX_VALUE);
    }
}
