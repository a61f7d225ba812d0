package dev.waybill.load;

import java.util.List;

/**
 * An order that the driver asked for.
 *
 * @param cancelled whether a cancel was asked for and granted
 */
record PlacedOrder(String orderNo, List<Item> items, boolean cancelled) {

    record Item(long skuId, int quantity) {}
}
