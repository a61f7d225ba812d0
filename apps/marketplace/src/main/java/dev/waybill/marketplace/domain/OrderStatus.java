package dev.waybill.marketplace.domain;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The status of an order, in the order in which it goes through them. */
public enum OrderStatus {
    PENDING,
    PAID,
    SHIPPED,
    COMPLETED,
    CANCELLED;

    /** As tables, events and answers spell it. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether an order in this status has been in the other one, or is. */
    public boolean hasReached(OrderStatus earlier) {
        return this == earlier || (this != CANCELLED && compareTo(earlier) > 0);
    }

    public static OrderStatus of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
