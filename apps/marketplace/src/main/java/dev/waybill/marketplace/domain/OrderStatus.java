package dev.waybill.marketplace.domain;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;

/** The status of an order. */
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

    public static OrderStatus of(String word) {
        return Arrays.stream(values())
                .filter(status -> status.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no status of an order: " + word));
    }
}
