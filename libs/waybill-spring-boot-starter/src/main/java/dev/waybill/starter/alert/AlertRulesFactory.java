package dev.waybill.starter.alert;

import dev.waybill.alert.AlertRule;
import dev.waybill.alert.AlertRules;
import dev.waybill.starter.AlertProperties;
import dev.waybill.starter.StartUpException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The standing rules, with those of the properties in their place or beside them. */
final class AlertRulesFactory {

    private AlertRulesFactory() {}

    static List<AlertRule> from(AlertProperties properties) {
        Map<String, AlertRule> rules = new LinkedHashMap<>();
        AlertRules.defaults().forEach(rule -> rules.put(rule.name(), rule));
        properties.rules().forEach((name, rule) -> {
            AlertRule standing = rules.remove(name);
            if (!rule.steps().isEmpty()) {
                rules.put(name, rule(name, rule, standing == null ? rule.measure() : measure(rule, standing)));
            }
        });
        return List.copyOf(rules.values());
    }

    private static String measure(AlertProperties.Rule rule, AlertRule standing) {
        return rule.measure() == null ? standing.measure() : rule.measure();
    }

    private static AlertRule rule(String name, AlertProperties.Rule rule, @Nullable String measure) {
        String property = "waybill.alerts.rules." + name;
        if (measure == null) {
            throw new StartUpException(
                    property + ".measure",
                    "The rule " + name + " does not say what it measures.",
                    "Set " + property + ".measure.",
                    null);
        }
        try {
            return new AlertRule(
                    name,
                    measure,
                    rule.window(),
                    rule.type(),
                    rule.topic(),
                    rule.subject(),
                    rule.steps().stream()
                            .map(step -> new AlertRule.Step(step.severity(), step.above(), step.lasting()))
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new StartUpException(
                    property, property + " cannot be used: " + e.getMessage() + ".", "Change " + property + ".", e);
        }
    }
}
