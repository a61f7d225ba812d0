package dev.waybill.inventory.domain;

import java.time.Instant;

/**
 * A row of stock as the database has it.
 *
 * @param version grows with every change of the row, so of two levels the one with the higher version is the later
 * @param changedAt when the row was last changed, as the database has it; a level that was computed keeps its predecessor's
 */
public record StockLevel(StockKey key, long available, long reserved, long version, Instant changedAt) {

    /** The level after so many were reserved; negative gives them back. */
    StockLevel afterReserving(long quantity) {
        return new StockLevel(key, available - quantity, reserved + quantity, version + 1, changedAt);
    }
}
