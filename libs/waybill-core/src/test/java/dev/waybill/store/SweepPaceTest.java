package dev.waybill.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SweepPaceTest {

    private final SweepPace pace = new SweepPace();

    @Test
    void aSweepUsesATenthOfItsTimeUnlessItsChunksAreVerySlow() {
        assertThat(pace.after(Duration.ofMillis(20))).isEqualTo(Duration.ofMillis(180));
        assertThat(pace.after(Duration.ofSeconds(30))).isEqualTo(SweepPace.LONGEST_WAIT);
    }

    @Test
    void slowChunksBecomeSmallerAndQuickOnesLargeAgain() {
        assertThat(pace.chunk()).isEqualTo(SweepPace.LARGEST);
        pace.after(Duration.ofMillis(150));
        assertThat(pace.chunk()).isEqualTo(SweepPace.LARGEST / 2);
        for (int i = 0; i < 10; i++) {
            pace.after(Duration.ofMillis(150));
        }
        assertThat(pace.chunk()).isEqualTo(SweepPace.SMALLEST);
        for (int i = 0; i < 10; i++) {
            pace.after(Duration.ofMillis(5));
        }
        assertThat(pace.chunk()).isEqualTo(SweepPace.LARGEST);
    }
}
