package dev.waybill.order.domain;

/** The status of an order. */
public enum OrderStatus {
    CREATED,
    STOCK_RESERVED,
    STOCK_FAILED,
    CANCELED
}
