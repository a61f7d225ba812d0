package dev.waybill.guard.boot;

import dev.waybill.guard.ratelimit.RateLimit.WhenDown;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/** Everything under {@code waybill.guard}; checked when it is read. */
@ConfigurationProperties("waybill.guard")
public record GuardSettings(
        @DefaultValue Map<String, String> codes,
        @DefaultValue Redis redis,
        @DefaultValue InProcess inProcess,
        @DefaultValue RateLimits ratelimit,
        @DefaultValue Idempotency idempotent,
        @DefaultValue Requests requests) {

    private static final long LARGEST_ARRAY = 1L << 30;

    /** Redis is used where {@code uri} is set; without it every node counts for itself. */
    public record Redis(
            @Nullable String uri, @DefaultValue("250ms") Duration timeout) {
        public Redis {
            require(timeout, Duration.ofMillis(1), Duration.ofSeconds(10), "redis.timeout");
        }

        /** Without the address, which may hold a password. */
        @Override
        public String toString() {
            return "Redis[timeout=" + timeout + "]";
        }
    }

    /** How much the in-process stores hold: entries of each, and bytes of results together. */
    public record InProcess(
            @DefaultValue("100000") int maxKeys,
            @DefaultValue("64MB") DataSize maxResultBytes) {
        public InProcess {
            if (maxResultBytes.isNegative()) {
                throw new IllegalStateException("waybill.guard.in-process.max-result-bytes must not be negative");
            }
            if (maxKeys < 1) {
                throw new IllegalStateException("waybill.guard.in-process.max-keys must be at least 1");
            }
        }
    }

    public record RateLimits(
            @DefaultValue("local") WhenDown whenDown,
            @DefaultValue("1s") Duration sliceLifetime,
            @DefaultValue Map<String, LimitOverride> apis) {
        public RateLimits {
            if (whenDown == WhenDown.AS_CONFIGURED) {
                throw new IllegalStateException("waybill.guard.ratelimit.when-down must be allow, refuse or local");
            }
            require(sliceLifetime, Duration.ofMillis(1), Duration.ofMinutes(1), "ratelimit.slice-lifetime");
        }
    }

    public record Idempotency(
            @DefaultValue("30s") Duration lease,
            @DefaultValue("10m") Duration longestRun,
            @DefaultValue("24h") Duration keep,
            @DefaultValue("1048576") int largestResult) {
        public Idempotency {
            require(lease, Duration.ofSeconds(1), Duration.ofHours(1), "idempotent.lease");
            require(longestRun, lease, Duration.ofDays(1), "idempotent.longest-run");
            require(keep, lease, Duration.ofDays(365), "idempotent.keep");
            if (largestResult < 0) {
                throw new IllegalStateException("waybill.guard.idempotent.largest-result must not be negative");
            }
        }
    }

    /**
     * What a request may cost before the application sees it. With {@code readFirst} off, bodies go to the application as they
     * arrive, and a slow one holds a thread.
     */
    public record Requests(
            @DefaultValue("1MB") DataSize largestBody,
            @DefaultValue("10s") Duration bodyDeadline,
            @DefaultValue("64MB") DataSize waitingBytes,
            @DefaultValue("20s") Duration headerTimeout,
            @DefaultValue("true") boolean readFirst) {
        public Requests {
            require(bodyDeadline, Duration.ofSeconds(1), Duration.ofHours(1), "requests.body-deadline");
            require(headerTimeout, Duration.ofSeconds(1), Duration.ofHours(1), "requests.header-timeout");
            if (largestBody.toBytes() < 1 || largestBody.toBytes() > LARGEST_ARRAY) {
                throw new IllegalStateException(
                        "waybill.guard.requests.largest-body must be between 1B and 1GB: " + largestBody);
            }
            if (waitingBytes.compareTo(largestBody) < 0) {
                throw new IllegalStateException(
                        "waybill.guard.requests.waiting-bytes must be at least waybill.guard.requests.largest-body: "
                                + waitingBytes);
            }
        }
    }

    /** What replaces the attributes of one {@code @RateLimit}; the annotation's value holds where this has null. */
    public record LimitOverride(
            @Nullable Double rate,
            @Nullable Long capacity,
            @Nullable String cost,
            @Nullable Long slice,
            @Nullable WhenDown whenDown) {}

    private static void require(Duration value, Duration least, Duration most, String property) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalStateException(
                    "waybill.guard." + property + " must be between " + least + " and " + most + ": " + value);
        }
    }
}
