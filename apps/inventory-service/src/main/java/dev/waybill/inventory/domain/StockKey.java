package dev.waybill.inventory.domain;

import java.util.Comparator;

/** A SKU in a warehouse. Every transaction locks rows in the natural order of their keys, so that none deadlocks. */
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
