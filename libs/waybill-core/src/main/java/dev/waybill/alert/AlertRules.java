package dev.waybill.alert;

import dev.waybill.alert.AlertRule.Step;
import dev.waybill.alert.AlertRule.Subject;
import java.time.Duration;
import java.util.List;

/** The rules that hold unless an application brings its own. */
public final class AlertRules {

    private static final Duration LONG = Duration.ofMinutes(10);

    private AlertRules() {}

    /**
     * NEW and overdue over 1000, RETRY over 100, anything DEAD, any open dead letter, over 1000 messages in a queue, any
     * destination down, attempts that have kept rising for five minutes. What stays so for ten minutes (attempts: half an hour),
     * and tenfold numbers, are critical; so is a row that has been due for ten minutes.
     */
    public static List<AlertRule> defaults() {
        return List.of(
                AlertRule.level(
                        "outbox-overdue",
                        Measures.OVERDUE,
                        Step.above(1_000),
                        Step.above(10_000).critical()),
                AlertRule.level(
                        "outbox-retrying",
                        Measures.RETRYING,
                        Step.above(100),
                        Step.above(1_000).critical()),
                AlertRule.level(
                        "outbox-stuck",
                        Measures.OLDEST_DUE,
                        Step.above((double) LONG.toSeconds()).critical()),
                AlertRule.level("outbox-dead", Measures.DEAD, Step.above(0)),
                AlertRule.level("dead-letters", Measures.OPEN_LETTERS, Step.above(0)),
                AlertRule.level(
                                "destination-down",
                                Measures.DESTINATION_DOWN,
                                Step.above(0),
                                Step.above(0).lasting(LONG).critical())
                        .each(Subject.EACH_TOPIC),
                AlertRule.level(
                                "broker-backlog",
                                Measures.BROKER_BACKLOG,
                                Step.above(1_000),
                                Step.above(10_000).critical())
                        .each(Subject.EACH_TOPIC),
                rising("sends-failing", Measures.FAILED_SENDS),
                rising("deliveries-failing", Measures.FAILED_DELIVERIES));
    }

    /** Growth in every minute of the last five. */
    private static AlertRule rising(String name, String total) {
        return AlertRule.rate(
                        name,
                        total,
                        Duration.ofMinutes(1),
                        Step.above(0).lasting(Duration.ofMinutes(5)),
                        Step.above(0).lasting(Duration.ofMinutes(30)).critical())
                .each(Subject.EACH_TYPE);
    }
}
