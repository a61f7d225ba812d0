package dev.waybill.inventory.domain;

/** Goods that were taken in, and what there was of them afterwards. */
public record Receipt(Line line, long available, long reserved) {}
