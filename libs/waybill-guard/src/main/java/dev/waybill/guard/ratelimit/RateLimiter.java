package dev.waybill.guard.ratelimit;

import dev.waybill.guard.meter.GuardMeter;
import dev.waybill.guard.meter.GuardMetric;
import dev.waybill.guard.store.StoreUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides: asks the shared buckets, in slices where the limit wants them, and does what the limit says while they are down.
 *
 * <p>Usable without Spring: give it a store. A decision takes at most twice the store's time-out, and usually one round trip.
 */
public final class RateLimiter {

    private static final Logger log = LoggerFactory.getLogger(RateLimiter.class);
    private static final long QUIET_NANOS = Duration.ofSeconds(10).toNanos();

    private final BucketStore shared;
    private final SlicedBuckets sliced;
    private final BucketStore local;
    private final GuardMeter meter;
    private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

    /** @param local the stand-in of {@link RateLimit.WhenDown#LOCAL}; may be the shared store itself on a single node */
    public RateLimiter(BucketStore shared, BucketStore local, SliceSettings slices, GuardMeter meter) {
        this.shared = shared;
        this.sliced =
                new SlicedBuckets(shared, slices.lifetime(), slices.longestWait(), slices.maxKeys(), System::nanoTime);
        this.local = local;
        this.meter = meter;
    }

    /** How long slices live, how long a caller waits while another one fetches a slice, and how many are held at most. */
    public record SliceSettings(Duration lifetime, Duration longestWait, int maxKeys) {}

    /** One call of {@code cost} tokens on the bucket named {@code key}. */
    public Decision decide(Limit limit, String key, long cost) {
        Decision decision = ask(limit, key, Math.max(1, cost));
        meter.count(GuardMetric.RATELIMIT_DECISIONS, limit.name(), outcome(decision));
        return decision;
    }

    private Decision ask(Limit limit, String key, long cost) {
        try {
            return decision(
                    limit.slice() > 0
                            ? sliced.take(key, limit.bucket(), cost, limit.slice())
                            : shared.take(key, limit.bucket(), cost, cost));
        } catch (StoreUnavailableException down) {
            warn(limit, down);
            return switch (limit.whenDown()) {
                case REFUSE -> new Decision.Unavailable();
                case LOCAL -> locally(limit, key, cost);
                case ALLOW, AS_CONFIGURED -> new Decision.Unguarded();
            };
        }
    }

    private Decision locally(Limit limit, String key, long cost) {
        try {
            return decision(local.take(key, limit.bucket(), cost, cost));
        } catch (StoreUnavailableException full) {
            return new Decision.Unguarded();
        }
    }

    private static Decision decision(Take take) {
        if (take instanceof Take.Refused refused) {
            return new Decision.Refused(refused.remaining(), refused.retryAfterMillis());
        }
        return new Decision.Allowed(take.remaining());
    }

    private static String outcome(Decision decision) {
        if (decision instanceof Decision.Allowed) {
            return "allowed";
        }
        if (decision instanceof Decision.Refused) {
            return "refused";
        }
        return decision instanceof Decision.Unguarded ? "unguarded" : "unavailable";
    }

    /** An outage is one line every ten seconds, not one per request. */
    private void warn(Limit limit, StoreUnavailableException down) {
        long due = nextWarning.get();
        if (System.nanoTime() - due >= 0 && nextWarning.compareAndSet(due, System.nanoTime() + QUIET_NANOS)) {
            log.warn(
                    "[RateLimiter] store down reason={} api={} then={}", down.reason(), limit.name(), limit.whenDown());
        }
    }
}
