package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimThrottleTest {

    private final ClaimThrottle throttle = new ClaimThrottle();

    @Test
    void aBacklogThatNobodyAddsToIsClaimedWithoutPauses() {
        assertThat(throttle.isDue()).isFalse();
        long began = System.nanoTime();
        for (int i = 0; i < 10_000; i++) {
            throttle.rest(began); // a pause would be 10 ms each time
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void anAppendMakesClaimsPauseForAMoment() {
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            throttle.appended();
            return throttle.isDue();
        });
        await().atMost(Duration.ofSeconds(10)).until(() -> !throttle.isDue());
    }
}
