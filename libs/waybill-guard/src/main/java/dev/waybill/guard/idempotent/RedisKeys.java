package dev.waybill.guard.idempotent;

import dev.waybill.guard.idempotent.Claim.Claimed;
import dev.waybill.guard.idempotent.Claim.StoredResult;
import dev.waybill.guard.store.RedisScripts;
import dev.waybill.redis.LuaScript;
import dev.waybill.redis.RedisLink;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Keys in Redis: one JSON text each, one script per step, Redis's own clock. */
public final class RedisKeys implements IdempotencyStore {

    private static final LuaScript CLAIM = LuaScript.load(RedisKeys.class, "claim.lua");
    private static final LuaScript COMPLETE = LuaScript.load(RedisKeys.class, "complete.lua");
    private static final LuaScript RELEASE = LuaScript.load(RedisKeys.class, "release.lua");
    private static final LuaScript RENEW = LuaScript.load(RedisKeys.class, "renew.lua");

    private final RedisScripts redis;

    public RedisKeys(RedisLink redis) {
        this.redis = new RedisScripts(redis);
    }

    @Override
    public Claim claim(Subject subject, Duration lease) {
        return claimOf(redis.run(
                CLAIM,
                late -> giveBack(subject, late),
                subject.storeKey(),
                subject.key(),
                subject.fingerprint(),
                subject.traceId(),
                millis(lease)));
    }

    /** The claim was granted after its time-out: nobody will run under it, so nobody should have to wait for its lease. */
    private void giveBack(Subject subject, List<Object> late) {
        if (claimOf(late) instanceof Claimed claimed) {
            redis.send(RELEASE, subject.storeKey(), Long.toString(claimed.fence()));
        }
    }

    private static Claim claimOf(List<Object> reply) {
        String outcome = (String) reply.get(0);
        return switch (outcome) {
            case "CLAIMED" -> new Claimed(Long.parseLong((String) reply.get(1)), (Long) reply.get(2));
            case "DONE" ->
                new Claim.Done(new StoredResult(
                        (Long) reply.get(1) == 1 ? (String) reply.get(2) : null, Math.toIntExact((Long) reply.get(3))));
            case "OTHER" -> new Claim.OtherRequest();
            case "PROCESSING" -> new Claim.InProgress();
            default -> throw new IllegalStateException("claim.lua answered " + outcome);
        };
    }

    @Override
    public boolean complete(Subject subject, Claimed claim, StoredResult result, Duration keep) {
        return isDone(redis.run(
                COMPLETE,
                subject.storeKey(),
                Long.toString(claim.fence()),
                subject.key(),
                subject.fingerprint(),
                subject.traceId(),
                Long.toString(claim.createdAt()),
                result.json() == null ? "0" : "1",
                result.json() == null ? "" : result.json(),
                Integer.toString(result.httpStatus()),
                millis(keep)));
    }

    @Override
    public boolean release(Subject subject, Claimed claim) {
        return isDone(redis.run(RELEASE, subject.storeKey(), Long.toString(claim.fence())));
    }

    @Override
    public CompletionStage<Boolean> renew(Subject subject, Claimed claim, Duration lease) {
        return redis.send(RENEW, subject.storeKey(), Long.toString(claim.fence()), millis(lease))
                .thenApply(RedisKeys::isDone);
    }

    private static boolean isDone(List<Object> reply) {
        return (Long) reply.get(0) == 1;
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
