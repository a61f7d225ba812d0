package dev.waybill.marketplace.domain;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Everything under {@code order.timeout}.
 *
 * @param pendingMinutes how long an order may stay unpaid
 * @param pending the same as a duration, such as 90s; wins over the minutes
 * @param job the scanning job
 */
@ConfigurationProperties("order.timeout")
public record TimeoutSettings(
        @DefaultValue("15") long pendingMinutes,
        @Nullable Duration pending,
        @DefaultValue Job job) {

    /** RabbitMQ's own limit for a queue's TTL. */
    private static final Duration LONGEST = Duration.ofMillis(0xFFFF_FFFFL);

    public TimeoutSettings {
        Duration chosen = pending == null ? Duration.ofMinutes(pendingMinutes) : pending;
        if (chosen.toMillis() < 1 || chosen.compareTo(LONGEST) > 0) {
            throw new IllegalStateException(
                    (pending == null ? "order.timeout.pending-minutes" : "order.timeout.pending")
                            + " must be longer than nothing and at most 49 days: " + chosen);
        }
    }

    /** How long an order may stay unpaid. */
    public Duration after() {
        return pending == null ? Duration.ofMinutes(pendingMinutes) : pending;
    }

    /**
     * The scanning job.
     *
     * @param enabled whether this process scans
     * @param interval pause between two scans
     * @param batch orders read at a time
     */
    public record Job(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("30s") Duration interval,
            @DefaultValue("100") int batch) {
        public Job {
            if (interval.isZero() || interval.isNegative() || batch < 1) {
                throw new IllegalStateException(
                        "order.timeout.job.interval must be longer than nothing and order.timeout.job.batch at least 1");
            }
        }
    }
}
