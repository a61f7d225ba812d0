package dev.waybill.marketplace.domain;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Whether a product can be ordered. There is no count, because every product exists once. */
public enum ProductStatus {
    ON_SALE,
    SOLD;

    /** As tables and answers spell it. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A word that is unknown here, such as one that a newer version writes, is no status: nothing is sold by a guess. */
    public static ProductStatus of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
