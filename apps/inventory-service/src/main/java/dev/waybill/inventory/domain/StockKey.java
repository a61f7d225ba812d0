package dev.waybill.inventory.domain;

import java.util.Comparator;

/** A SKU in a warehouse. Every transaction locks rows in the natural order of their keys, so that none deadlocks. */
public record StockKey(long warehouseId, String skuId) implements Comparable<StockKey> {

    /** Comes before every key. */
    static final StockKey NONE = new StockKey(Long.MIN_VALUE, "");

    private static final Comparator<StockKey> ORDER =
            Comparator.comparingLong(StockKey::warehouseId).thenComparing(StockKey::skuId);

    /** Reads what {@link #toString()} wrote. */
    public static StockKey parse(String text) {
        int colon = text.indexOf(':');
        return new StockKey(Long.parseLong(text.substring(0, colon)), text.substring(colon + 1));
    }

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
