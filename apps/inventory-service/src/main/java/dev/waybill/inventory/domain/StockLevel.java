package dev.waybill.inventory.domain;

/**
 * A row of stock as the database has it.
 *
 * @param version grows with every change of the row, so of two levels the one with the higher version is the later
 */
public record StockLevel(StockKey key, long available, long reserved, long version) {

    /** The level after so many were reserved; negative gives them back. */
    public StockLevel afterReserving(long quantity) {
        return new StockLevel(key, available - quantity, reserved + quantity, version + 1);
    }
}
