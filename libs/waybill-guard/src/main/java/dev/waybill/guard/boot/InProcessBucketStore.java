package dev.waybill.guard.boot;

import dev.waybill.guard.boot.BoundedExpiringMap.Change;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Buckets of one process: for single nodes, the quickstart and tests, and instead of Redis while that is down. */
final class InProcessBucketStore implements BucketStore {

    /** Tolerates the rounding of doubles; without it a token could be missing in the millisecond in which it is due. */
    private static final double ROUNDING = 1e-6;

    private record Level(double tokens, long lastRefillTime, long expireAt) implements BoundedExpiringMap.Expiring {}

    private final BoundedExpiringMap<Level> levels;

    InProcessBucketStore(int maxKeys, InstantSource time) {
        this.levels = new BoundedExpiringMap<>(maxKeys, time::millis);
    }

    @Override
    public TakeResult take(String key, TokenBucket bucket, long cost, long wanted) {
        return levels.change(key, (held, read) -> {
            // A time before the last refill would let the same tokens come back twice.
            long now = held == null ? read : Math.max(read, held.lastRefillTime());
            double tokens = refilled(held, bucket, now);
            long expireAt = now + bucket.timeToLiveMillis();
            if (tokens + ROUNDING < cost) {
                double missing = (double) Math.min(cost, bucket.capacity()) - tokens;
                TakeResult refused = new TakeResult.Refused((long) tokens, Math.max(1, bucket.millisFor(missing)));
                return new Change<>(new Level(tokens, now, expireAt), refused);
            }
            long taken = Math.max(cost, Math.min(wanted, (long) (tokens + ROUNDING)));
            double left = Math.max(0, tokens - taken);
            return new Change<>(new Level(left, now, expireAt), new TakeResult.Granted(taken, (long) left));
        });
    }

    private static double refilled(@Nullable Level held, TokenBucket bucket, long now) {
        if (held == null) {
            return bucket.capacity();
        }
        double elapsed = now - held.lastRefillTime();
        return Math.min((double) bucket.capacity(), held.tokens() + elapsed * bucket.rate() / 1000);
    }

    int size() {
        return levels.size();
    }
}
