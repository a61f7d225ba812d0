package dev.waybill.starter.observability;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A figure is shown until the next one is overdue, and not longer. */
class BackgroundReadingTest {

    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong cost = new AtomicLong();
    private final BackgroundReading<Long> reading =
            new BackgroundReading<>("test", this::look, new SimpleMeterRegistry(), now::get);

    private boolean away;

    private long look() {
        now.addAndGet(cost.get());
        if (away) {
            throw new IllegalStateException("away");
        }
        return 7;
    }

    @Test
    void nothingIsShownBeforeTheFirstLook() {
        assertThat(shown()).isNaN();
    }

    @Test
    void aLookIsShownUntilTheNextOneIsOverdue() {
        reading.read(INTERVAL);
        pass(INTERVAL);
        assertThat(shown()).isEqualTo(7);
        pass(INTERVAL.plusMillis(1));
        assertThat(shown()).isNaN();
    }

    @Test
    void aLookThatTakesLongIsShownForAsLongAsTheLongerPause() {
        cost.set(Duration.ofSeconds(5).toNanos());
        Duration took = reading.read(INTERVAL);
        assertThat(MetricsRefresh.pauseAfter(took, INTERVAL)).isEqualTo(Duration.ofSeconds(45));
        pass(Duration.ofSeconds(50));
        assertThat(shown()).isEqualTo(7);
        pass(Duration.ofSeconds(20));
        assertThat(shown()).isNaN();
    }

    @Test
    void thePauseIsNeverShorterThanTheIntervalNorWithoutEnd() {
        assertThat(MetricsRefresh.pauseAfter(Duration.ofMillis(3), INTERVAL)).isEqualTo(INTERVAL);
        assertThat(MetricsRefresh.pauseAfter(Duration.ofMinutes(3), INTERVAL)).isEqualTo(Duration.ofMinutes(5));
        assertThat(MetricsRefresh.pauseAfter(Duration.ofMinutes(3), Duration.ofHours(1)))
                .isEqualTo(Duration.ofHours(1));
    }

    @Test
    void aLookThatFailsTakesTheOldFigureAwayAndIsRepeatedSoon() {
        reading.read(INTERVAL);
        away = true;
        cost.set(Duration.ofSeconds(20).toNanos());
        Duration counted = reading.read(INTERVAL);
        assertThat(shown()).isNaN();
        assertThat(MetricsRefresh.pauseAfter(counted, INTERVAL)).isBetween(INTERVAL, Duration.ofSeconds(20));
        away = false;
        reading.read(INTERVAL);
        assertThat(shown()).isEqualTo(7);
    }

    @Test
    void whatIsForgottenIsNotShown() {
        reading.read(INTERVAL);
        reading.forget();
        assertThat(shown()).isNaN();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private double shown() {
        return reading.show(Long::doubleValue);
    }
}
