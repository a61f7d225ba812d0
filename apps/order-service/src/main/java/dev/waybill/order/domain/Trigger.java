package dev.waybill.order.domain;

/** What happens to an order. */
public enum Trigger {
    CREATE,
    STOCK_RESERVED,
    STOCK_RESERVE_FAILED,
    CANCEL
}
