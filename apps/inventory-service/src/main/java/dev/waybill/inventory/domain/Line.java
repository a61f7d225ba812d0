package dev.waybill.inventory.domain;

/** A quantity of one SKU in one warehouse. */
public record Line(StockKey key, long quantity) {

    public Line {
        if (quantity < 1) {
            throw new IllegalArgumentException("a line has at least one unit, " + key + " has " + quantity);
        }
    }
}
