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

    /** A word that is unknown here, such as one that a newer version writes, is no status: nothing is sold by a guess. */
    public static ProductStatus of(String word) {
        return switch (word) {
            case "on_sale" -> ON_SALE;
            case "sold" -> SOLD;
            default -> throw new IllegalArgumentException("no status of a product: " + word);
        };
    }
}
