package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TimeShareTest {

    private long now = 42;
    private final TimeShare time = new TimeShare(() -> now);

    @Test
    void aMomentSpentInEachRoundIsAsGoodAsNothing() {
        for (int round = 0; round < 100; round++) {
            time.spend(() -> now += TimeUnit.MILLISECONDS.toNanos(5));
            assertThat(time.isUnspent()).isTrue();
        }
    }

    @Test
    void whatWasSpentIsEarnedInTenTimesAsLong() {
        time.spend(() -> pass(20));
        assertThat(time.isUnspent()).isFalse();
        assertThat(time.isLeft()).isTrue();

        pass(150);
        assertThat(time.isUnspent()).isFalse();

        pass(50);
        assertThat(time.isUnspent()).isTrue();
    }

    @Test
    void oneLongWorkForbidsTheNextForMinutesAndNotForHours() {
        time.spend(() -> pass(TimeUnit.HOURS.toSeconds(2)));
        assertThat(time.isLeft()).isFalse();

        pass(299);
        assertThat(time.isLeft()).isFalse();

        pass(2);
        assertThat(time.isLeft()).isTrue();
    }

    private void pass(long seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }
}
