package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimThrottleTest {

    private final ClaimThrottle courtesy = new ClaimThrottle();

    @Test
    void nobodyRestsForABacklogThatNobodyAddsTo() {
        assertThat(courtesy.isDue()).isFalse();
        long began = System.nanoTime();
        for (int i = 0; i < 10_000; i++) {
            courtesy.rest(began); // each would be 10 ms, as long as it goes
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void whoAppendsIsGivenWayForAMoment() {
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            courtesy.appended();
            return courtesy.isDue();
        });
        await().atMost(Duration.ofSeconds(10)).until(() -> !courtesy.isDue());
    }
}
