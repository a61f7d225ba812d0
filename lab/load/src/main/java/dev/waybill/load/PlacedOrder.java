package dev.waybill.load;

import java.util.List;

/**
 * An order that the driver asked for.
 *
 * @param cancel what came of a cancel
 */
record PlacedOrder(String orderNo, List<Item> items, Cancel cancel) {

    /** What came of a cancel. */
    enum Cancel {
        NOT_ASKED,
        GRANTED,
        REFUSED
    }

    record Item(long skuId, int quantity) {}
}
