package dev.waybill.guard.boot;

import dev.waybill.guard.boot.StoreUnavailableException.Reason;
import dev.waybill.redis.LuaScript;
import dev.waybill.redis.RedisLink;
import dev.waybill.redis.RedisUnavailableException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Runs the scripts of the stores in Redis; a Redis that does not answer is a store that is unavailable. */
final class RedisScripts {

    private final RedisLink redis;

    RedisScripts(RedisLink redis) {
        this.redis = redis;
    }

    /** Runs the script and waits for its answer. */
    List<Object> run(LuaScript script, String key, String... arguments) {
        return run(script, answer -> {}, key, arguments);
    }

    /** Runs the script and waits for its answer; one that comes after the time-out goes to {@code late}. */
    List<Object> run(LuaScript script, Consumer<List<Object>> late, String key, String... arguments) {
        try {
            return redis.run(script, late, key, arguments);
        } catch (RedisUnavailableException e) {
            throw unavailable(e);
        }
    }

    /** Runs the script without waiting for its answer. */
    CompletionStage<List<Object>> send(LuaScript script, String key, String... arguments) {
        try {
            return redis.send(script, key, arguments);
        } catch (RedisUnavailableException e) {
            throw unavailable(e);
        }
    }

    private static StoreUnavailableException unavailable(RedisUnavailableException e) {
        Reason reason = switch (e.reason()) {
            case NOT_CONNECTED -> Reason.NOT_CONNECTED;
            case LOGIN_REFUSED -> Reason.LOGIN_REFUSED;
            case TIMED_OUT -> Reason.TIMED_OUT;
            case INTERRUPTED, FAILED -> Reason.FAILED;
        };
        return new StoreUnavailableException(reason, e.getCause());
    }
}
