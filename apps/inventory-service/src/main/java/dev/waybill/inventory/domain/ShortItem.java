package dev.waybill.inventory.domain;

/** What an order wanted and there was not enough of. */
public record ShortItem(long warehouseId, String skuId, long requested, long available) {

    static ShortItem of(Line line, long available) {
        return new ShortItem(line.warehouseId(), line.skuId(), line.quantity(), available);
    }
}
