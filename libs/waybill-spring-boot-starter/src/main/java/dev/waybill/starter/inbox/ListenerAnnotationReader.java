package dev.waybill.starter.inbox;

import dev.waybill.inbox.UnknownTypes;
import dev.waybill.starter.inbox.ListenerMethod.Attributes;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a listener's annotation: resolves placeholders and refuses attributes that are missing or contradict each other. */
final class ListenerAnnotationReader {

    private static final Pattern OR = Pattern.compile("\\|\\|");

    private final UnaryOperator<@Nullable String> placeholders;

    ListenerAnnotationReader(UnaryOperator<@Nullable String> placeholders) {
        this.placeholders = placeholders;
    }

    Attributes read(String bean, Method method, WaybillListener annotation) {
        Reading reading = new Reading(bean, method);
        String topic = reading.text(annotation.topic());
        String queue = reading.text(annotation.queue());
        if (topic.isEmpty() == queue.isEmpty()) {
            throw reading.refused(
                    "it names " + (topic.isEmpty() ? "no topic and no queue" : "a topic and a queue"),
                    "Set topic to a source that others read too, or queue to one that is this group's alone.");
        }
        return new Attributes(
                topic.isEmpty() ? queue : topic,
                reading.needed("group", annotation.group()),
                topic.isEmpty() ? UnknownTypes.DEAD_LETTER : UnknownTypes.ACKNOWLEDGE,
                reading.types(annotation.types()),
                reading.tags(annotation.tag()),
                reading.number("concurrency", annotation.concurrency()),
                reading.number("batch", annotation.batch()));
    }

    /** One method's annotation. */
    private final class Reading {

        private final String bean;
        private final Method method;

        Reading(String bean, Method method) {
            this.bean = bean;
            this.method = method;
        }

        String text(String raw) {
            try {
                String resolved = placeholders.apply(raw);
                if (resolved != null && resolved.contains("${")) {
                    throw new IllegalArgumentException(
                            "nothing resolves " + resolved); // Spring leaves an unknown placeholder as it is
                }
                return resolved == null ? "" : resolved.strip();
            } catch (IllegalArgumentException e) {
                throw ListenerMethod.refused(
                        bean, method, String.valueOf(e.getMessage()), "Set the property that it names.", e);
            }
        }

        String needed(String name, String raw) {
            String text = text(raw);
            if (text.isEmpty()) {
                throw refused("its " + name + " is empty", "Set " + name + ".");
            }
            return text;
        }

        Set<String> types(String[] raw) {
            Set<String> types = new LinkedHashSet<>();
            Arrays.stream(raw)
                    .flatMap(text -> Arrays.stream(text(text).split(",", -1)))
                    .map(String::strip)
                    .filter(type -> !type.isEmpty())
                    .forEach(types::add);
            if (types.isEmpty()) {
                throw refused("it names no event type", "Set types to those it handles.");
            }
            return types;
        }

        List<String> tags(String raw) {
            String text = text(raw);
            return text.isEmpty()
                    ? List.of("*")
                    : OR.splitAsStream(text).map(String::strip).toList();
        }

        @Nullable Integer number(String name, String raw) {
            String text = text(raw);
            if (text.isEmpty()) {
                return null;
            }
            try {
                int number = Integer.parseInt(text);
                if (number >= 1) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw ListenerMethod.refused(
                        bean, method, "its " + name + " is '" + text + "'", "Set " + name + " to a number.", e);
            }
            throw refused("its " + name + " is " + text, "Set " + name + " to at least 1.");
        }

        RuntimeException refused(String problem, String fix) {
            return ListenerMethod.refused(bean, method, problem, fix, null);
        }
    }
}
