package dev.waybill.alert;

import org.jspecify.annotations.Nullable;

/**
 * One figure, as a probe read it.
 *
 * @param measure what was measured, such as {@link Measures#DEAD}
 * @param eventType whose events, or null where the figure is about all of them
 * @param topic where they go, or null where the figure is about all topics
 * @param value a count, an age in seconds, or a total that only grows
 * @param detail what a person should know beside the figure; may be empty
 */
public record Reading(
        String measure,
        @Nullable String eventType,
        @Nullable String topic,
        double value,
        String detail) {

    public static Reading of(String measure, double value) {
        return new Reading(measure, null, null, value, "");
    }
}
