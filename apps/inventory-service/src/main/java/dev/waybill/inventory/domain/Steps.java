package dev.waybill.inventory.domain;

/**
 * The named places between gate and database, told as they are passed. Production ignores them; a test makes the process die
 * there and shows that nothing is lost.
 */
@FunctionalInterface
public interface Steps {

    /** Ignores every place. */
    Steps NONE = place -> {};

    void reached(Place place);

    /** Where a crash must be harmless. */
    enum Place {
        /** The gate holds the order's stock; the database knows nothing. */
        GATE_RESERVED,
        /** Everything is written in the order's transaction, which has not committed. */
        DB_WRITTEN,
        /** The reservation is committed; the gate still holds the stock. */
        DB_COMMITTED,
        /** Gate and database agree about the order. */
        GATE_SETTLED,
        /** A release is committed; the gate has not heard of it. */
        RELEASE_COMMITTED,
        /** Received stock is committed; the gate has not heard of it. */
        RECEIPT_COMMITTED
    }
}
