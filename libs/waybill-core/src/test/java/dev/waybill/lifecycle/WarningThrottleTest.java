package dev.waybill.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WarningThrottleTest {

    private final WarningThrottle throttle = new WarningThrottle();

    @Test
    void aTroubleThatLastsIsToldAtOnceAndThenEverMoreRarelyButNeverNotAtAll() {
        assertThat(throttle.isDue(0)).isTrue();
        assertThat(dueWithin(1, 9)).isZero();
        assertThat(dueWithin(10, 10)).isEqualTo(1);
        assertThat(dueWithin(11, 3_600)).isBetween(12L, 20L);
        assertThat(dueWithin(3_601, 3_901)).isEqualTo(1);
    }

    @Test
    void theNextTroubleIsToldAtOnceAgain() {
        assertThat(throttle.end()).as("nothing was told").isFalse();
        throttle.isDue(0);

        assertThat(throttle.end()).isTrue();
        assertThat(throttle.isDue(1)).isTrue();
    }

    private long dueWithin(long first, long last) {
        return LongStream.rangeClosed(first, last)
                .filter(second -> throttle.isDue(TimeUnit.SECONDS.toNanos(second)))
                .count();
    }
}
