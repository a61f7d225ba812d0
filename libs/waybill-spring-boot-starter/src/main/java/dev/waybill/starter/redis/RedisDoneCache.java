package dev.waybill.starter.redis;

import dev.waybill.inbox.DoneCache;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handled events, remembered in Redis for a while. A question takes no longer than the time-out; a Redis that fails to
 * answer is left alone for a moment, and meanwhile the answer is no. What is learned is sent without waiting.
 */
final class RedisDoneCache implements DoneCache, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisDoneCache.class);
    private static final Duration REST = Duration.ofSeconds(1);
    /** A Redis that takes commands and answers none must not fill our memory. */
    private static final int LONGEST_QUEUE = 10_000;

    private final RedisClient client;
    private final String keyPrefix;
    private final Duration ttl;
    private final Duration timeout;
    private final AtomicLong askAgain = new AtomicLong(System.nanoTime());
    private volatile @Nullable StatefulRedisConnection<String, String> connection;

    RedisDoneCache(RedisURI uri, String keyPrefix, Duration ttl, Duration timeout) {
        this.keyPrefix = keyPrefix;
        this.ttl = ttl;
        this.timeout = timeout;
        uri.setTimeout(timeout);
        this.client = RedisClient.create(uri);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(LONGEST_QUEUE)
                .socketOptions(SocketOptions.builder().connectTimeout(timeout).build())
                .build());
    }

    @Override
    public boolean knows(String eventId, String group) {
        if (rests()) {
            return false;
        }
        try {
            return commands().exists(key(eventId, group)).get(timeout.toNanos(), TimeUnit.NANOSECONDS) > 0;
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
        if (rests()) {
            return;
        }
        try {
            commands().set(key(eventId, group), "1", SetArgs.Builder.px(ttl));
        } catch (RuntimeException e) {
            rest(e);
        }
    }

    private boolean rests() {
        return System.nanoTime() - askAgain.get() < 0;
    }

    private void rest(Exception why) {
        askAgain.set(System.nanoTime() + REST.toNanos());
        log.debug("[Inbox] Redis does not answer; the database decides alone for {}", REST, why);
    }

    private String key(String eventId, String group) {
        return keyPrefix + group + ":" + eventId;
    }

    private RedisAsyncCommands<String, String> commands() {
        StatefulRedisConnection<String, String> open = connection;
        return (open == null ? connect() : open).async();
    }

    private synchronized StatefulRedisConnection<String, String> connect() {
        StatefulRedisConnection<String, String> open = connection;
        if (open == null) {
            open = client.connect();
            connection = open;
        }
        return open;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, timeout);
    }
}
