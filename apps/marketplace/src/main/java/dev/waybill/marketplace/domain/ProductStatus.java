package dev.waybill.marketplace.domain;

import com.fasterxml.jackson.annotation.JsonValue;

/** Whether somebody can still order it. There is no count: every product is there once. */
public enum ProductStatus {
    ON_SALE("on_sale"),
    SOLD("sold");

    private final String word;

    ProductStatus(String word) {
        this.word = word;
    }

    /** As tables and answers spell it. */
    @JsonValue
    public String word() {
        return word;
    }

    public static ProductStatus of(String word) {
        return word.equals(SOLD.word) ? SOLD : ON_SALE;
    }
}
