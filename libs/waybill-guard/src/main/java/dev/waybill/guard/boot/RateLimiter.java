package dev.waybill.guard.boot;

import dev.waybill.guard.ratelimit.RateLimit;
import java.time.Duration;

/**
 * Decides whether a call may go on: takes tokens from the shared buckets, in slices where the limit has them, and does what
 * {@code whenDown} says while the store is unavailable.
 *
 * <p>A decision takes at most twice the store's time-out, and usually one round trip.
 */
final class RateLimiter {

    private final BucketStore shared;
    private final SlicedBuckets sliced;
    private final BucketStore local;
    private final GuardMeter meter;
    private final StoreAvailability availability;

    /** @param local the store for {@link RateLimit.WhenDown#LOCAL}; may be the shared store itself on a single node */
    RateLimiter(BucketStore shared, BucketStore local, SliceSettings slices, GuardMeter meter) {
        this.availability = new StoreAvailability("ratelimit", meter);
        this.shared = (key, bucket, cost, wanted) -> {
            TakeResult answered = shared.take(key, bucket, cost, wanted);
            availability.up();
            return answered;
        };
        this.sliced = new SlicedBuckets(
                this.shared, slices.lifetime(), slices.longestWait(), slices.maxKeys(), System::nanoTime);
        this.local = local;
        this.meter = meter;
    }

    /** How long slices live, how long a caller waits while another one fetches a slice, and how many are held at most. */
    record SliceSettings(Duration lifetime, Duration longestWait, int maxKeys) {}

    /** One call of {@code cost} tokens on the bucket named {@code key}. */
    RateLimitDecision decide(BucketLimit limit, String key, long cost) {
        RateLimitDecision decision = ask(limit, key, Math.max(1, cost));
        meter.count(GuardMetric.RATELIMIT_DECISIONS, limit.name(), outcome(decision));
        return decision;
    }

    private RateLimitDecision ask(BucketLimit limit, String key, long cost) {
        try {
            return decision(
                    limit.slice() > 0
                            ? sliced.take(key, limit.bucket(), cost, limit.slice())
                            : shared.take(key, limit.bucket(), cost, cost));
        } catch (StoreUnavailableException down) {
            availability.down(down, limit.name(), limit.whenDown().name());
            return switch (limit.whenDown()) {
                case REFUSE -> new RateLimitDecision.Unavailable();
                case LOCAL -> locally(limit, key, cost);
                case ALLOW, AS_CONFIGURED -> new RateLimitDecision.Unguarded();
            };
        }
    }

    private RateLimitDecision locally(BucketLimit limit, String key, long cost) {
        try {
            return decision(local.take(key, limit.bucket(), cost, cost));
        } catch (StoreUnavailableException full) {
            return new RateLimitDecision.Unguarded();
        }
    }

    private static RateLimitDecision decision(TakeResult take) {
        if (take instanceof TakeResult.Refused refused) {
            return new RateLimitDecision.Refused(refused.remaining(), refused.retryAfterMillis());
        }
        return new RateLimitDecision.Allowed(take.remaining());
    }

    private static String outcome(RateLimitDecision decision) {
        if (decision instanceof RateLimitDecision.Allowed) {
            return "allowed";
        }
        if (decision instanceof RateLimitDecision.Refused) {
            return "refused";
        }
        return decision instanceof RateLimitDecision.Unguarded ? "unguarded" : "unavailable";
    }
}
