package dev.waybill.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pins the defaults that users and documents rely on. */
class RetryDefaultsTest {

    @Test
    void theStandardBackoffWaits5To80SecondsThenGivesUpAfterSixSends() {
        ExponentialBackoff exact =
                new ExponentialBackoff(Duration.ofSeconds(5), Duration.ofHours(1), 0.2, 5, () -> 0.5);

        assertThat(seconds(exact, 5)).containsExactly(5L, 10L, 20L, 40L, 80L);
        assertThat(exact.delayAfter(6)).isEmpty();
        assertThat(ExponentialBackoff.standard().maxSends()).isEqualTo(6);
    }

    @Test
    void theStandardBackoffIsSpreadByAFifthToBothSidesAndNoFurther() {
        List<Long> waits = IntStream.range(0, 2000)
                .mapToObj(i -> ExponentialBackoff.standard()
                        .delayAfter(1)
                        .orElseThrow()
                        .toMillis())
                .toList();

        assertThat(waits).allMatch(ms -> ms >= 4000 && ms <= 6000);
        assertThat(waits).anyMatch(ms -> ms < 4300).anyMatch(ms -> ms > 5700);
    }

    @Test
    void aLongBackoffStaysAtItsCap() {
        ExponentialBackoff many = new ExponentialBackoff(Duration.ofSeconds(5), Duration.ofHours(1), 0, 50, () -> 0.5);

        assertThat(many.delayAfter(10)).contains(Duration.ofSeconds(2560));
        assertThat(many.delayAfter(11)).contains(Duration.ofHours(1));
        assertThat(many.delayAfter(50)).contains(Duration.ofHours(1));
    }

    @Test
    void theStandardScheduleIs5Seconds30Seconds2MinutesThenGivesUpAfterFourSends() {
        assertThat(seconds(FixedSchedule.standard(), 3)).containsExactly(5L, 30L, 120L);
        assertThat(FixedSchedule.standard().delayAfter(4)).isEmpty();
        assertThat(FixedSchedule.standard().maxSends()).isEqualTo(4);
    }

    @Test
    void aTypeMayHaveAPolicyOfItsOwn() {
        RetryRules rules = new RetryRules(ExponentialBackoff.standard(), Map.of("OrderCreated", FixedSchedule.of()));

        assertThat(rules.of("OrderCreated").maxSends()).isEqualTo(1);
        assertThat(rules.of("Other").maxSends()).isEqualTo(6);
    }

    @Test
    void senselessPoliciesAreRefused() {
        assertThatThrownBy(() -> ExponentialBackoff.of(Duration.ZERO, Duration.ofSeconds(1), 0, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ExponentialBackoff.of(Duration.ofSeconds(1), Duration.ofSeconds(1), 2, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FixedSchedule.of(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Long> seconds(RetryPolicy policy, int failures) {
        return IntStream.rangeClosed(1, failures)
                .mapToObj(n -> policy.delayAfter(n).orElseThrow().toSeconds())
                .toList();
    }
}
