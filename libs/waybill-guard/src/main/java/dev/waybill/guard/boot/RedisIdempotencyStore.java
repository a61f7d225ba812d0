package dev.waybill.guard.boot;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.KeyClaim.StoredResult;
import dev.waybill.redis.LuaScript;
import dev.waybill.redis.RedisLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Keys in Redis: one JSON text each, one script per step, Redis's own clock. */
final class RedisIdempotencyStore implements IdempotencyStore {

    private static final LuaScript CLAIM = LuaScript.load(RedisIdempotencyStore.class, "claim_key.lua");
    private static final LuaScript COMPLETE = LuaScript.load(RedisIdempotencyStore.class, "complete_key.lua");
    private static final LuaScript RELEASE = LuaScript.load(RedisIdempotencyStore.class, "release_key.lua");
    private static final LuaScript RENEW = LuaScript.load(RedisIdempotencyStore.class, "renew_key.lua");

    private final RedisScripts redis;

    RedisIdempotencyStore(RedisLink redis) {
        this.redis = new RedisScripts(redis);
    }

    @Override
    public KeyClaim claim(KeyedRequest keyed, Duration lease) {
        return claimOf(redis.run(
                CLAIM,
                late -> giveBack(keyed, late),
                keyed.storeKey(),
                keyed.key(),
                keyed.fingerprint(),
                keyed.traceId(),
                millis(lease)));
    }

    /**
     * Frees a key that was granted after its time-out: nobody runs under it, and the next request should not wait for its
     * lease.
     */
    private void giveBack(KeyedRequest keyed, List<Object> late) {
        if (claimOf(late) instanceof Claimed claimed) {
            redis.send(RELEASE, keyed.storeKey(), Long.toString(claimed.fence()));
        }
    }

    private static KeyClaim claimOf(List<Object> reply) {
        String outcome = (String) reply.get(0);
        return switch (outcome) {
            case "CLAIMED" -> new Claimed(Long.parseLong((String) reply.get(1)), (Long) reply.get(2));
            case "DONE" -> new KeyClaim.Completed(resultOf(reply));
            case "OTHER" -> new KeyClaim.OtherRequest();
            case "PROCESSING" -> new KeyClaim.StillRunning();
            default -> throw new IllegalStateException("claim_key.lua answered " + outcome);
        };
    }

    private static StoredResult resultOf(List<Object> reply) {
        int httpStatus = Math.toIntExact((Long) reply.get(3));
        if ((Long) reply.get(1) != 1) {
            return new StoredResult(null, httpStatus);
        }
        String json = (String) reply.get(2);
        String code = (String) reply.get(4);
        return code.isEmpty()
                ? new StoredResult(json, httpStatus)
                : new StoredResult(json, httpStatus, code, (String) reply.get(5));
    }

    @Override
    public boolean complete(KeyedRequest keyed, Claimed claim, StoredResult result, Duration keep) {
        List<String> arguments = new ArrayList<>(List.of(
                Long.toString(claim.fence()),
                keyed.key(),
                keyed.fingerprint(),
                keyed.traceId(),
                Long.toString(claim.createdAt()),
                result.json() == null ? "0" : "1",
                result.json() == null ? "" : result.json(),
                Integer.toString(result.httpStatus()),
                millis(keep)));
        if (result.hasOwnWords()) {
            arguments.addAll(List.of(result.code(), result.message()));
        }
        return isDone(redis.run(COMPLETE, keyed.storeKey(), arguments.toArray(String[]::new)));
    }

    @Override
    public boolean release(KeyedRequest keyed, Claimed claim) {
        return isDone(redis.run(RELEASE, keyed.storeKey(), Long.toString(claim.fence())));
    }

    @Override
    public CompletionStage<Boolean> renew(KeyedRequest keyed, Claimed claim, Duration lease) {
        return redis.send(RENEW, keyed.storeKey(), Long.toString(claim.fence()), millis(lease))
                .thenApply(RedisIdempotencyStore::isDone);
    }

    private static boolean isDone(List<Object> reply) {
        return (Long) reply.get(0) == 1;
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
