package dev.waybill.inventory.domain;

import java.util.List;

/** Publishes the results of reservations. An event commits with the caller's transaction or not at all. */
public interface StockEventPublisher {

    void reserved(OrderLines order);

    void refused(String orderNo, List<ShortItem> shortItems);
}
