package dev.waybill.retry;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Waits as listed, one entry per retry, then gives up. */
public record FixedSchedule(List<Duration> delays) implements RetryPolicy {

    public FixedSchedule {
        delays = List.copyOf(delays);
        if (delays.stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException("a schedule's delays are not negative: " + delays);
        }
    }

    /** 5 s, 30 s, 2 min: three retries, four sends. */
    public static FixedSchedule standard() {
        return of(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(2));
    }

    public static FixedSchedule of(Duration... delays) {
        return new FixedSchedule(List.of(delays));
    }

    @Override
    public Optional<Duration> delayAfter(int failures) {
        return failures > delays.size() ? Optional.empty() : Optional.of(delays.get(failures - 1));
    }

    @Override
    public int maxSends() {
        return delays.size() + 1;
    }
}
