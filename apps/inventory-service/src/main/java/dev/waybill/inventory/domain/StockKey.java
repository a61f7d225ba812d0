package dev.waybill.inventory.domain;

import java.util.Comparator;

/** What stock is counted by. Its order is the order in which rows are locked, by everybody. */
public record StockKey(long warehouseId, String skuId) implements Comparable<StockKey> {

    private static final Comparator<StockKey> ORDER =
            Comparator.comparingLong(StockKey::warehouseId).thenComparing(StockKey::skuId);

    @Override
    public int compareTo(StockKey other) {
        return ORDER.compare(this, other);
    }

    /** {@code warehouseId:skuId}. */
    @Override
    public String toString() {
        return warehouseId + ":" + skuId;
    }
}
