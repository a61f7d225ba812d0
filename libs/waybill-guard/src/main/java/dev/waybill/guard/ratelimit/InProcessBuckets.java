package dev.waybill.guard.ratelimit;

import dev.waybill.guard.store.BoundedEntries;
import dev.waybill.guard.store.BoundedEntries.Change;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Buckets of one process: for single nodes, the quickstart, tests, and as the stand-in while Redis is down. */
public final class InProcessBuckets implements BucketStore {

    /** Forgives the rounding of doubles, so that a token that is due by the clock is there. */
    private static final double ROUNDING = 1e-6;

    private record Level(double tokens, long lastRefillTime, long expireAt) implements BoundedEntries.Expiring {}

    private final BoundedEntries<Level> levels;
    private final InstantSource time;

    public InProcessBuckets(int maxKeys, InstantSource time) {
        this.levels = new BoundedEntries<>(maxKeys);
        this.time = time;
    }

    @Override
    public Take take(String key, TokenBucket bucket, long cost, long wanted) {
        long now = time.millis();
        return levels.change(key, now, held -> {
            double tokens = refilled(held, bucket, now);
            long expireAt = now + bucket.timeToLiveMillis();
            if (tokens + ROUNDING < cost) {
                double missing = (double) Math.min(cost, bucket.capacity()) - tokens;
                Take refused = new Take.Refused((long) tokens, Math.max(1, bucket.millisFor(missing)));
                return new Change<>(new Level(tokens, now, expireAt), refused);
            }
            long taken = Math.max(cost, Math.min(wanted, (long) (tokens + ROUNDING)));
            double left = Math.max(0, tokens - taken);
            return new Change<>(new Level(left, now, expireAt), new Take.Granted(taken, (long) left));
        });
    }

    private static double refilled(@Nullable Level held, TokenBucket bucket, long now) {
        if (held == null) {
            return bucket.capacity();
        }
        // A clock that stepped back adds nothing, and the bucket goes on from the new time.
        double elapsed = Math.max(0, now - held.lastRefillTime());
        return Math.min((double) bucket.capacity(), held.tokens() + elapsed * bucket.rate() / 1000);
    }

    int size() {
        return levels.size();
    }
}
