package dev.waybill.marketplace.domain;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

/** The status of an order, in the order in which it goes through them. */
public enum OrderStatus {
    PENDING("pending"),
    PAID("paid"),
    SHIPPED("shipped"),
    COMPLETED("completed"),
    CANCELLED("cancelled");

    private final String word;

    OrderStatus(String word) {
        this.word = word;
    }

    /** As tables, events and answers spell it. */
    @JsonValue
    public String word() {
        return word;
    }

    /** Whether an order in this status has been in the other one, or is. */
    public boolean hasReached(OrderStatus earlier) {
        return this == earlier || (this != CANCELLED && compareTo(earlier) > 0);
    }

    public static OrderStatus of(String word) {
        return Arrays.stream(values())
                .filter(status -> status.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no status of an order: " + word));
    }
}
