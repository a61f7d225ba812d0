package dev.waybill.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.alert.AlertRule.Step;
import dev.waybill.alert.AlertRule.Subject;
import dev.waybill.store.AlertStore.Condition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleTrackerTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void aCountOverTheThresholdIsAConditionAndOneAtItIsNot() {
        RuleTracker tracker = new RuleTracker(AlertRule.level("retrying", Measures.RETRYING, Step.above(100)));
        assertThat(tracker.conditions(List.of(Reading.of(Measures.RETRYING, 100)), true, 0))
                .isEmpty();
        assertThat(tracker.conditions(List.of(Reading.of(Measures.RETRYING, 101)), true, 1))
                .containsExactly(new Condition("retrying", "retrying", 1, "outbox.retrying=101"));
        assertThat(tracker.conditions(List.of(Reading.of(Measures.DEAD, 500)), true, 2))
                .isEmpty();
    }

    @Test
    void stepsEscalateByNumberAndByHowLongItLasts() {
        RuleTracker tracker = new RuleTracker(AlertRule.level(
                "down",
                Measures.DESTINATION_DOWN,
                Step.above(0),
                Step.above(0).lasting(Duration.ofSeconds(10)).critical()));
        List<Reading> down = List.of(Reading.of(Measures.DESTINATION_DOWN, 1));
        assertThat(tracker.conditions(down, true, 0))
                .extracting(Condition::step)
                .containsExactly(1);
        assertThat(tracker.conditions(down, true, 9 * SECOND))
                .extracting(Condition::step)
                .containsExactly(1);
        assertThat(tracker.conditions(down, true, 10 * SECOND))
                .extracting(Condition::step)
                .containsExactly(2);
        assertThat(tracker.conditions(List.of(), true, 11 * SECOND)).isEmpty();
        assertThat(tracker.conditions(down, true, 12 * SECOND))
                .extracting(Condition::step)
                .containsExactly(1);
    }

    @Test
    void aRateIsTheGrowthInAMinuteOverTheWholeWindow() {
        RuleTracker tracker = new RuleTracker(
                AlertRule.rate("failing", Measures.FAILED_SENDS, Duration.ofSeconds(30), Step.above(60)));
        assertThat(tracker.conditions(total(1_000), true, 0))
                .as("what was before is no growth")
                .isEmpty();
        assertThat(tracker.conditions(total(1_040), true, 20 * SECOND))
                .as("not a window yet")
                .isEmpty();
        assertThat(tracker.conditions(total(1_060), true, 30 * SECOND))
                .extracting(Condition::detail)
                .containsExactly("outbox.failed-sends=120 a minute");
        assertThat(tracker.conditions(total(1_060), true, 90 * SECOND)).isEmpty();
    }

    @Test
    void theFirstFailuresOfATypeAreGrowthAndNotWhatWasBefore() {
        RuleTracker tracker = new RuleTracker(
                AlertRule.rate("failing", Measures.FAILED_SENDS, Duration.ofSeconds(60), Step.above(60)));
        assertThat(tracker.conditions(List.of(), true, 0)).isEmpty();
        assertThat(tracker.conditions(total(120), true, 5 * SECOND)).isEmpty();
        assertThat(tracker.conditions(total(120), true, 60 * SECOND))
                .extracting(Condition::detail)
                .containsExactly("outbox.failed-sends=120 a minute");
        assertThat(tracker.conditions(total(120), true, 200 * SECOND)).isEmpty();
    }

    @Test
    void whatIsNotANumberBreaksNoRule() {
        RuleTracker tracker = new RuleTracker(AlertRule.level("retrying", Measures.RETRYING, Step.above(0)));
        assertThat(tracker.conditions(List.of(Reading.of(Measures.RETRYING, Double.NaN)), true, 0))
                .isEmpty();
    }

    @Test
    void whatCouldNotBeReadForAMomentHasLastedAllTheSame() {
        RuleTracker tracker = new RuleTracker(
                AlertRule.level("down", Measures.DESTINATION_DOWN, Step.above(0).lasting(Duration.ofSeconds(10))));
        List<Reading> down = List.of(Reading.of(Measures.DESTINATION_DOWN, 1));
        assertThat(tracker.conditions(down, true, 0)).isEmpty();
        assertThat(tracker.conditions(List.of(), false, 5 * SECOND)).isEmpty();
        assertThat(tracker.conditions(down, true, 10 * SECOND)).hasSize(1);
        assertThat(tracker.conditions(List.of(), true, 15 * SECOND)).isEmpty();
        assertThat(tracker.conditions(down, true, 20 * SECOND)).isEmpty();
    }

    @Test
    void aRuleCanBeAboutOneTypeAboutOneTopicOrAboutEachOfThem() {
        List<Reading> readings = List.of(
                dead("OrderCreated", "ORDERS"), dead("OrderCanceled", "ORDERS"), dead("StockReserved", "STOCK"));
        AlertRule rule = AlertRule.level("dead", Measures.DEAD, Step.above(0));
        assertThat(keys(rule, readings)).containsExactly("dead");
        assertThat(keys(rule.each(Subject.EACH_TYPE), readings))
                .containsExactly("dead:OrderCanceled", "dead:OrderCreated", "dead:StockReserved");
        assertThat(keys(rule.each(Subject.EACH_TOPIC).ofType("StockReserved"), readings))
                .containsExactly("dead:STOCK");
        assertThat(new RuleTracker(rule.ofTopic("ORDERS")).conditions(readings, true, 0))
                .extracting(Condition::detail)
                .containsExactly("outbox.dead=2 OrderCreated; OrderCanceled");
    }

    @Test
    void errorsThatDifferOnlyInNumbersAndIdsAreOneGroup() {
        assertThat(ErrorGroup.of("UNROUTABLE: order 17 to 0198c1f2-0000-7000-8000-00000000abcd\n at x"))
                .isEqualTo(ErrorGroup.of("UNROUTABLE: order 4711 to 0198c1f2-1111-7000-8000-00000000abce"))
                .isEqualTo("UNROUTABLE: order # to #");
        assertThat(ErrorGroup.of(null)).isEqualTo("unknown");
    }

    @Test
    void aWebhookGetsTheNoticesPartsOrDingTalksMessage() {
        AlertNotice notice = new AlertNotice(
                AlertNotice.Kind.RAISED,
                "shop",
                "outbox-dead",
                "outbox-dead",
                Severity.CRITICAL,
                1,
                "a \"quote\"",
                Instant.EPOCH);
        assertThat(new String(WebhookFormat.JSON.body(notice), StandardCharsets.UTF_8))
                .isEqualTo("{\"kind\":\"raised\",\"scope\":\"shop\",\"alert\":\"outbox-dead\",\"rule\":\"outbox-dead\","
                        + "\"severity\":\"critical\",\"step\":1,\"detail\":\"a \\\"quote\\\"\","
                        + "\"at\":\"1970-01-01T00:00:00Z\"}");
        assertThat(new String(WebhookFormat.DINGTALK.body(notice), StandardCharsets.UTF_8))
                .isEqualTo("{\"msgtype\":\"text\",\"text\":{\"content\":\"[ALERT] raised CRITICAL shop outbox-dead\\n"
                        + "a \\\"quote\\\"\\n1970-01-01T00:00:00Z\"}}");
    }

    private static List<Reading> total(double failures) {
        return List.of(Reading.of(Measures.FAILED_SENDS, failures));
    }

    private static Reading dead(String type, String topic) {
        return new Reading(Measures.DEAD, type, topic, 1, type);
    }

    private static List<String> keys(AlertRule rule, List<Reading> readings) {
        return new RuleTracker(rule)
                .conditions(readings, true, 0).stream().map(Condition::key).toList();
    }
}
