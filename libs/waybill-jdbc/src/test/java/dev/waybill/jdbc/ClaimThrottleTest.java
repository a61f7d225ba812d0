package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
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

    @Test
    void amongRowsThatOthersHaveJustWrittenClaimsAreSmallHoweverSlowTheDatabaseIs() {
        long clock = 5_000_000_000L;
        throttle.claims(clock - 190_000, clock);
        long began = System.nanoTime();
        await().atMost(Duration.ofSeconds(10)) // a commit may take longer than an append of this process counts
                .until(() -> System.nanoTime() - began > Duration.ofMillis(50).toNanos());
        assertThat(throttle.isDue()).isTrue();

        throttle.claims(clock - 210_000, clock);
        assertThat(throttle.isDue()).isFalse();
    }

    @Test
    void aClaimThatIsBehindAsksForFreshRowsFurtherOnAndRemembersTheAnswerForAMoment() {
        AtomicInteger asked = new AtomicInteger();
        throttle.claims(0, 5_000_000_000L); // an old row
        throttle.beforeStep(() -> asked.incrementAndGet() == 1);
        assertThat(throttle.isDue()).isTrue();

        await().atMost(Duration.ofSeconds(10)).until(() -> {
            throttle.beforeStep(() -> asked.incrementAndGet() == 1);
            return !throttle.isDue();
        });
        assertThat(asked).hasValue(2);
    }

    @Test
    void nobodyIsAskedWhileTheClaimedRowsThemselvesAreFresh() {
        throttle.claims(5_000_000_000L, 5_000_000_000L);
        throttle.beforeStep(() -> {
            throw new AssertionError("asked");
        });
        assertThat(throttle.isDue()).isTrue();
    }
}
