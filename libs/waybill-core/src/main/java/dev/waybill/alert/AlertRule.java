package dev.waybill.alert;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When to raise an alert: readings of one measure, of one event type and topic or of all, compared with the steps.
 *
 * @param name stable, because it is part of what replicas recognise an alert by
 * @param measure which readings
 * @param window null compares the figure itself, a count or an age; otherwise its growth in a minute, over this long
 * @param eventType only readings of this type; null for all
 * @param topic only readings of this topic; null for all
 * @param subject whether all readings make one alert, or those of each type or topic one of their own
 * @param steps each higher than the one before; reaching another one tells people again
 */
public record AlertRule(
        String name,
        String measure,
        @Nullable Duration window,
        @Nullable String eventType,
        @Nullable String topic,
        Subject subject,
        List<Step> steps) {

    /** What an alert of a rule is about. */
    public enum Subject {
        ALL,
        EACH_TYPE,
        EACH_TOPIC
    }

    /**
     * A threshold.
     *
     * @param above the figure has to be higher than this
     * @param lasting for so long without a break
     */
    public record Step(Severity severity, double above, Duration lasting) {

        public static Step above(double above) {
            return new Step(Severity.WARNING, above, Duration.ZERO);
        }

        public Step critical() {
            return new Step(Severity.CRITICAL, above, lasting);
        }

        public Step lasting(Duration duration) {
            return new Step(severity, above, duration);
        }
    }

    public AlertRule {
        steps = List.copyOf(steps);
        if (name.isBlank() || steps.isEmpty()) {
            throw new IllegalArgumentException("a rule has a name and at least one step, was '" + name + "' " + steps);
        }
        if (window != null && (window.isNegative() || window.isZero())) {
            throw new IllegalArgumentException("rule " + name + ": a rate needs a window, was " + window);
        }
    }

    /** About the figure itself: a count, or an age in seconds. */
    public static AlertRule level(String name, String measure, Step... steps) {
        return new AlertRule(name, measure, null, null, null, Subject.ALL, List.of(steps));
    }

    /** About a total's growth in a minute, over the window. */
    public static AlertRule rate(String name, String measure, Duration window, Step... steps) {
        return new AlertRule(name, measure, window, null, null, Subject.ALL, List.of(steps));
    }

    public AlertRule ofType(String type) {
        return new AlertRule(name, measure, window, type, topic, subject, steps);
    }

    public AlertRule ofTopic(String wanted) {
        return new AlertRule(name, measure, window, eventType, wanted, subject, steps);
    }

    public AlertRule each(Subject each) {
        return new AlertRule(name, measure, window, eventType, topic, each, steps);
    }

    boolean covers(Reading reading) {
        return measure.equals(reading.measure())
                && (eventType == null || eventType.equals(reading.eventType()))
                && (topic == null || topic.equals(reading.topic()));
    }

    /** What the reading belongs to under this rule; empty when all belong together. */
    String subjectOf(Reading reading) {
        return switch (subject) {
            case ALL -> "";
            case EACH_TYPE -> Objects.requireNonNullElse(reading.eventType(), "-");
            case EACH_TOPIC -> Objects.requireNonNullElse(reading.topic(), "-");
        };
    }

    /** The same thing has the same key on every replica. */
    String keyOf(String about) {
        return about.isEmpty() ? name : name + ":" + about;
    }
}
