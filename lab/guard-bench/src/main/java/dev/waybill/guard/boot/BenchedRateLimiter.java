package dev.waybill.guard.boot;

import dev.waybill.guard.boot.RateLimiter.SliceSettings;
import dev.waybill.guard.ratelimit.RateLimit.WhenDown;
import dev.waybill.redis.RedisLink;
import java.time.Duration;

/** The limiter as the annotation uses it. It is hidden from other packages, so the bench reaches it from its own. */
public final class BenchedRateLimiter {

    private final RateLimiter limiter;
    private final BucketLimit limit;
    private final String key;

    public BenchedRateLimiter(RedisLink redis, Duration timeout, double rate, long capacity, long slice, String key) {
        this.limiter = new RateLimiter(
                new RedisBucketStore(redis),
                new InProcessBucketStore(10, MonotonicClock.start()),
                new SliceSettings(Duration.ofSeconds(1), timeout, 10),
                GuardMeter.none());
        this.limit = new BucketLimit("bench", new TokenBucket(rate, capacity), slice, WhenDown.REFUSE);
        this.key = key;
    }

    /** One call that costs one token. */
    public boolean allows() {
        return limiter.decide(limit, key, 1) instanceof RateLimitDecision.Allowed;
    }
}
