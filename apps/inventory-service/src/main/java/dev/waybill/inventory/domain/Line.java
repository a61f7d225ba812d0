package dev.waybill.inventory.domain;

/** A quantity of one SKU in one warehouse, as payloads and answers have it. */
public record Line(long warehouseId, String skuId, long quantity) {

    public Line {
        if (quantity < 1) {
            throw new IllegalArgumentException("a line has at least one unit, " + skuId + " has " + quantity);
        }
    }

    public Line(StockKey key, long quantity) {
        this(key.warehouseId(), key.skuId(), quantity);
    }

    public StockKey key() {
        return new StockKey(warehouseId, skuId);
    }
}
