package dev.waybill.inventory.domain;

import java.util.List;

/** What the service tells others, in the caller's transaction. */
public interface StockEvents {

    void reserved(Basket basket);

    void refused(String orderNo, List<ShortItem> shortItems);
}
