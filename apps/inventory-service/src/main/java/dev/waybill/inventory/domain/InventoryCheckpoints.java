package dev.waybill.inventory.domain;

/**
 * The named points between gate and database at which a crash must be harmless. Production ignores them; a test kills the
 * process there and shows that nothing is lost.
 */
@FunctionalInterface
public interface InventoryCheckpoints {

    /** Ignores every point. */
    InventoryCheckpoints NONE = place -> {};

    void reached(Place place);

    /** Where a crash must be harmless. */
    enum Place {
        /** The gate holds the order's stock; nothing is written to the database. */
        GATE_RESERVED,
        /** Everything is written in the order's transaction, which has not committed. */
        DB_WRITTEN,
        /** The reservation is committed; the gate still holds the stock. */
        DB_COMMITTED,
        /** Gate and database agree about the order. */
        GATE_SETTLED,
        /** A release is committed; the gate has not been told. */
        RELEASE_COMMITTED,
        /** Received stock is committed; the gate has not been told. */
        RECEIPT_COMMITTED
    }
}
