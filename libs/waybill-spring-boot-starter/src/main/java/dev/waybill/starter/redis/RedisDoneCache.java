package dev.waybill.starter.redis;

import dev.waybill.inbox.DoneCache;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handled events, remembered in Redis for a while. A question takes no longer than the time-out, and connecting keeps nobody;
 * a Redis that fails to answer is left alone for a moment, and meanwhile the answer is no. What is learned is sent without
 * waiting.
 */
final class RedisDoneCache implements DoneCache, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisDoneCache.class);
    private static final Duration REST = Duration.ofSeconds(1);

    private final RedisLine line;
    private final String keyPrefix;
    private final Duration ttl;
    private final Duration timeout;
    private final AtomicBoolean silent = new AtomicBoolean();
    private volatile long askAgain = System.nanoTime();

    RedisDoneCache(RedisURI uri, String keyPrefix, Duration ttl, Duration timeout) {
        this.line = new RedisLine(uri);
        this.keyPrefix = keyPrefix;
        this.ttl = ttl;
        this.timeout = timeout;
        line.commands(); // begins to connect, so that the first event may find it open
    }

    @Override
    public boolean knows(String eventId, String group) {
        RedisAsyncCommands<String, String> commands = commands();
        if (commands == null) {
            return false;
        }
        try {
            boolean known = commands.exists(key(eventId, group)).get(timeout.toNanos(), TimeUnit.NANOSECONDS) > 0;
            if (silent.compareAndSet(true, false)) {
                log.info("[Inbox] Redis answers again");
            }
            return known;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            rest(e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits: what is not learned is asked of the database
    public void learn(String eventId, String group) {
        RedisAsyncCommands<String, String> commands = commands();
        if (commands == null) {
            return;
        }
        try {
            commands.set(key(eventId, group), "1", SetArgs.Builder.px(ttl));
        } catch (RuntimeException e) {
            rest(e);
        }
    }

    /** Null while Redis rests or is being connected to. */
    private @Nullable RedisAsyncCommands<String, String> commands() {
        return System.nanoTime() - askAgain < 0 ? null : line.commands();
    }

    private void rest(Exception why) {
        askAgain = System.nanoTime() + REST.toNanos();
        if (silent.compareAndSet(false, true)) {
            log.warn("[Inbox] Redis does not answer; the database decides alone until it does", why);
        }
    }

    private String key(String eventId, String group) {
        return keyPrefix + group.length() + ":" + group + ":" + eventId; // no group can pass for another
    }

    @Override
    public void close() {
        line.close();
    }
}
