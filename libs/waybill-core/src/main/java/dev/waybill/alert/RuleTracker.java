package dev.waybill.alert;

import dev.waybill.store.AlertStore.Condition;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Remembers for one rule since when each step was exceeded, and what totals were at the window's beginning. One thread's. */
final class RuleTracker {

    private static final int MOST_DETAILS = 3;

    private record Sample(long at, double total) {}

    private final AlertRule rule;
    /** When each step of a subject was first exceeded without a break; null for one that is not. */
    private final Map<String, @Nullable Long[]> since = new HashMap<>();

    private final Map<String, Deque<Sample>> totals = new HashMap<>();
    private @Nullable Long lastComplete;

    RuleTracker(AlertRule rule) {
        this.rule = rule;
    }

    AlertRule rule() {
        return rule;
    }

    /**
     * What holds now.
     *
     * @param complete whether all the rule's figures could be read: then a total that is not there is zero
     * @param now by a monotonic clock in nanoseconds
     */
    List<Condition> conditions(List<Reading> readings, boolean complete, long now) {
        Map<String, List<Reading>> bySubject = readings.stream()
                .filter(rule::covers)
                .collect(Collectors.groupingBy(rule::subjectOf, TreeMap::new, Collectors.toList()));
        if (complete) { // what could not be read has not ended
            since.keySet().retainAll(bySubject.keySet());
        }
        List<Condition> conditions = new ArrayList<>();
        bySubject.forEach((subject, some) -> {
            double figure =
                    figure(subject, some.stream().mapToDouble(Reading::value).sum(), now);
            int step = step(subject, figure, now);
            if (step > 0) {
                conditions.add(new Condition(rule.keyOf(subject), rule.name(), step, detail(subject, figure, some)));
            }
        });
        lastComplete = complete ? Long.valueOf(now) : lastComplete;
        return conditions;
    }

    private double figure(String subject, double value, long now) {
        Duration window = rule.window();
        if (window == null) {
            return value;
        }
        Deque<Sample> samples = totals.computeIfAbsent(subject, name -> begun());
        samples.addLast(new Sample(now, value));
        // the oldest one stays that is at least a window old: the growth is over the whole window, not a part of it
        while (samples.size() > 2 && now - second(samples).at() >= window.toNanos()) {
            samples.removeFirst();
        }
        Sample first = samples.getFirst();
        double minutes = (now - first.at()) / (double) Duration.ofMinutes(1).toNanos();
        return now - first.at() < window.toNanos() ? 0 : (value - first.total()) / minutes;
    }

    /** A total that a complete look did not find was zero then, so that the first failures of a type count as growth. */
    private Deque<Sample> begun() {
        Deque<Sample> samples = new ArrayDeque<>();
        if (lastComplete != null) {
            samples.add(new Sample(lastComplete, 0));
        }
        return samples;
    }

    private static Sample second(Deque<Sample> samples) {
        return samples.stream().skip(1).findFirst().orElseThrow();
    }

    private int step(String subject, double figure, long now) {
        @Nullable Long[] begun =
                since.computeIfAbsent(subject, name -> new Long[rule.steps().size()]);
        int reached = 0;
        for (int i = 0; i < begun.length; i++) {
            AlertRule.Step step = rule.steps().get(i);
            if (!(figure > step.above())) { // what is not a number breaks no rule
                begun[i] = null;
                continue;
            }
            Long first = begun[i];
            if (first == null) {
                first = now;
                begun[i] = first;
            }
            if (now - first >= step.lasting().toNanos()) {
                reached = i + 1;
            }
        }
        return reached;
    }

    private String detail(String subject, double figure, List<Reading> readings) {
        String details = readings.stream()
                .filter(reading -> !reading.detail().isEmpty())
                .sorted(Comparator.comparingDouble(Reading::value).reversed())
                .limit(MOST_DETAILS)
                .map(Reading::detail)
                .collect(Collectors.joining("; "));
        String number = figure == Math.rint(figure)
                ? String.valueOf((long) figure)
                : String.format(Locale.ROOT, "%.1f", figure);
        return rule.measure() + "=" + number + (rule.window() == null ? "" : " a minute")
                + (subject.isEmpty()
                        ? ""
                        : " " + (rule.subject() == AlertRule.Subject.EACH_TYPE ? "type=" : "topic=") + subject)
                + (details.isEmpty() ? "" : " " + details);
    }
}
