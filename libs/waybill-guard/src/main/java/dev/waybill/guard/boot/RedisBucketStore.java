package dev.waybill.guard.boot;

import dev.waybill.redis.LuaScript;
import dev.waybill.redis.RedisLink;
import java.util.List;

/** Buckets in Redis: one hash each, one script, one round trip, Redis's own clock. */
final class RedisBucketStore implements BucketStore {

    private static final LuaScript TAKE = LuaScript.load(RedisBucketStore.class, "take_tokens.lua");

    private final RedisScripts redis;

    RedisBucketStore(RedisLink redis) {
        this.redis = new RedisScripts(redis);
    }

    @Override
    public TakeResult take(String key, TokenBucket bucket, long cost, long wanted) {
        List<Object> reply = redis.run(
                TAKE,
                key,
                Double.toString(bucket.rate()),
                Long.toString(bucket.capacity()),
                Long.toString(cost),
                Long.toString(wanted),
                Long.toString(bucket.timeToLiveMillis()));
        long taken = (Long) reply.get(0);
        long remaining = (Long) reply.get(1);
        return taken > 0
                ? new TakeResult.Granted(taken, remaining)
                : new TakeResult.Refused(remaining, (Long) reply.get(2));
    }
}
