package dev.waybill.starter.alert;

import dev.waybill.alert.AlertRule;
import dev.waybill.alert.AlertRule.Subject;
import dev.waybill.alert.AlertRules;
import dev.waybill.starter.AlertProperties;
import dev.waybill.starter.StartUpException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The standing rules, with those of the properties in their place or beside them. */
final class AlertRulesFactory {

    private AlertRulesFactory() {}

    /** @param measured whether somebody reads such a figure; a rule about another one would be silent for ever */
    static List<AlertRule> from(AlertProperties properties, Predicate<String> measured) {
        Map<String, AlertRule> rules = new LinkedHashMap<>();
        AlertRules.defaults().forEach(rule -> rules.put(rule.name(), rule));
        properties.rules().forEach((name, rule) -> {
            AlertRule standing = rules.remove(name);
            if (!rule.steps().isEmpty()) {
                AlertRule made = rule(name, rule, standing);
                if (!measured.test(made.measure())) {
                    String property = "waybill.alerts.rules." + name + ".measure";
                    throw new StartUpException(
                            property,
                            property + "=" + made.measure() + " is a figure that nobody reads.",
                            "Change " + property + ", or add an AlertProbe bean whose measures() have it.",
                            null);
                }
                rules.put(name, made);
            }
        });
        return List.copyOf(rules.values());
    }

    private static AlertRule rule(String name, AlertProperties.Rule rule, @Nullable AlertRule standing) {
        String property = "waybill.alerts.rules." + name;
        String measure = or(rule.measure(), standing == null ? null : standing.measure());
        if (measure == null) {
            throw new StartUpException(
                    property + ".measure",
                    "The rule " + name + " does not say what it measures.",
                    "Set " + property + ".measure.",
                    null);
        }
        Subject subject = or(rule.subject(), standing == null ? Subject.ALL : standing.subject());
        try {
            return new AlertRule(
                    name,
                    measure,
                    or(rule.window(), standing == null ? null : standing.window()),
                    rule.type(),
                    rule.topic(),
                    subject == null ? Subject.ALL : subject,
                    rule.steps().stream()
                            .map(step -> new AlertRule.Step(step.severity(), step.above(), step.lasting()))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new StartUpException(
                    property, property + " cannot be used: " + e.getMessage() + ".", "Change " + property + ".", e);
        }
    }

    private static <T> @Nullable T or(@Nullable T said, @Nullable T standing) {
        return said == null ? standing : said;
    }
}
