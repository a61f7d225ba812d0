package dev.waybill.marketplace.domain;

import org.jspecify.annotations.Nullable;

/** Checks fields and reports which one breaks which rule. Neither text repeats what the caller sent. */
public final class Validation {

    private Validation() {}

    /** Refuses what is missing. */
    public static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidRequestException(field, "required");
        }
        return value;
    }

    /** Refuses numbers outside the limits. */
    public static void within(String field, long value, long least, long most) {
        require(value >= least && value <= most, field, least + " to " + most);
    }

    /** Refuses unless the rule is met. */
    public static void require(boolean met, String field, String rule) {
        if (!met) {
            throw new InvalidRequestException(field, rule);
        }
    }
}
