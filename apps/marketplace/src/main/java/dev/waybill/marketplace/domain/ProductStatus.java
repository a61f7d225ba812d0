package dev.waybill.marketplace.domain;

import com.fasterxml.jackson.annotation.JsonValue;

/** Whether a product can be ordered. There is no count, because every product exists once. */
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
