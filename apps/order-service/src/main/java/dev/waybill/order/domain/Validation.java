package dev.waybill.order.domain;

import org.jspecify.annotations.Nullable;

/** Checks fields and reports which one breaks which rule. Neither text repeats what the caller sent. */
public final class Validation {

    private Validation() {}

    /** Refuses unless the rule is met. */
    public static void require(boolean met, String field, String rule) {
        if (!met) {
            throw new InvalidOrderException(field, rule);
        }
    }

    /** Refuses numbers outside the limits. */
    public static void within(String field, long value, long least, long most) {
        require(value >= least && value <= most, field, least + " to " + most);
    }

    /** Refuses what is missing. */
    public static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidOrderException(field, "required");
        }
        return value;
    }
}
