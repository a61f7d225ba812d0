package dev.waybill.redis;

import dev.waybill.redis.RedisUnavailableException.Reason;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shared connection to Redis. A step is one command or one Lua script, one round trip each.
 *
 * <p>A step that gets no answer within the time-out throws {@link RedisUnavailableException}. While Redis is away every step
 * fails at once instead of queueing, and nothing is sent a second time after a reconnect: a repeated claim would meet its own
 * first copy. A link can be made while Redis is away; it connects when Redis comes.
 */
public final class RedisLink implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);

    /** A Redis that accepts commands and answers none must not fill the memory; beyond this, steps fail at once. */
    private static final int MAX_QUEUED_COMMANDS = 10_000;

    private static final Duration FIRST_RECONNECT_DELAY = Duration.ofMillis(10);
    private static final Duration MAX_RECONNECT_DELAY = Duration.ofMillis(500);

    private final ClientResources resources;
    private final RedisClient client;
    private final RedisURI uri;
    private final Duration timeout;
    private final Duration connectTimeout;
    private final Object connecting = new Object();
    private @Nullable CompletableFuture<StatefulRedisConnection<String, String>> attempt; // guarded by connecting
    private long nextAttempt = System.nanoTime(); // guarded by connecting
    private boolean closed; // guarded by connecting
    private @Nullable Reason told; // guarded by connecting
    private volatile @Nullable StatefulRedisConnection<String, String> connection;

    /** A link whose steps and attempts to connect have the same time-out. */
    public RedisLink(String uri, Duration timeout) {
        this(uri, timeout, timeout);
    }

    /**
     * @param uri such as {@code redis://host:6379}; an {@link IllegalArgumentException} does not repeat it, because it may hold
     *     a password
     * @param timeout the longest that a caller waits for the answer to one step, and for the connection before it
     * @param connectTimeout the longest that an attempt to connect takes, in the background if it is longer than the time-out
     */
    public RedisLink(String uri, Duration timeout, Duration connectTimeout) {
        if (!isAddress(uri)) {
            throw new IllegalArgumentException("not a Redis address such as redis://host:6379");
        }
        this.uri = RedisURI.create(uri);
        this.uri.setTimeout(connectTimeout);
        this.timeout = timeout;
        this.connectTimeout = connectTimeout;
        this.resources = DefaultClientResources.builder()
                .reconnectDelay(Delay.exponential(FIRST_RECONNECT_DELAY, MAX_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
                .build();
        this.client = RedisClient.create(resources, this.uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .requestQueueSize(MAX_QUEUED_COMMANDS)
                // The link has a time-out of its own: Lettuce's would drop a late answer, which is needed to undo the
                // step.
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(connectTimeout)
                        .keepAlive(true)
                        .build())
                .build());
    }

    /** Whether the text is an address that a link can be made for. */
    public static boolean isAddress(@Nullable String uri) {
        return uri != null && RedisAddress.isValid(uri);
    }

    /** Runs the script and waits for its answer. */
    public List<Object> run(LuaScript script, String key, String... arguments) {
        return run(script, answer -> {}, key, arguments);
    }

    /**
     * Runs the script and waits for its answer. An answer that comes after the time-out goes to {@code late}, so that a step
     * which nobody waits for any more can be undone.
     */
    public List<Object> run(LuaScript script, Consumer<List<Object>> late, String key, String... arguments) {
        return await(send(script, key, arguments).toCompletableFuture(), late);
    }

    /** Runs a script that touches several keys and waits for its answer. */
    public List<Object> run(LuaScript script, List<String> keys, String... arguments) {
        return await(send(script, keys.toArray(new String[0]), arguments).toCompletableFuture(), answer -> {});
    }

    /** Runs the script without waiting for its answer. */
    public CompletionStage<List<Object>> send(LuaScript script, String key, String... arguments) {
        return send(script, new String[] {key}, arguments);
    }

    private CompletionStage<List<Object>> send(LuaScript script, String[] keys, String[] arguments) {
        var commands = connection().async();
        return commands.<List<Object>>evalsha(script.sha1(), ScriptOutputType.MULTI, keys, arguments)
                .exceptionallyCompose(
                        e -> e instanceof RedisNoScriptException || e.getCause() instanceof RedisNoScriptException
                                ? commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                                : CompletableFuture.failedFuture(e));
    }

    /** Whether the key exists; waits for the answer. */
    public boolean exists(String key) {
        return await(connection().async().exists(key).toCompletableFuture(), answer -> {}) > 0;
    }

    /** Sets the key for as long as {@code timeToLive} says, without waiting for the answer. */
    public CompletionStage<?> set(String key, String value, Duration timeToLive) {
        return connection().async().set(key, value, SetArgs.Builder.px(timeToLive));
    }

    private <T> T await(CompletableFuture<T> answer, Consumer<T> late) {
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            hearLater(answer, late);
            throw new RedisUnavailableException(Reason.TIMED_OUT, null);
        } catch (ExecutionException e) {
            throw new RedisUnavailableException(Reason.FAILED, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            hearLater(answer, late);
            throw new RedisUnavailableException(Reason.INTERRUPTED, e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits any more who could be told of a failure
    private static <T> void hearLater(CompletableFuture<T> answer, Consumer<T> late) {
        answer.thenAccept(late);
    }

    /** The caller that begins an attempt to connect waits for it; all others fail at once meanwhile. */
    private StatefulRedisConnection<String, String> connection() {
        StatefulRedisConnection<String, String> open = connection;
        if (open != null) {
            return open;
        }
        CompletableFuture<StatefulRedisConnection<String, String>> begun = beginToConnect();
        if (begun == null) {
            throw new RedisUnavailableException(lastReason(), null);
        }
        try {
            return begun.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new RedisUnavailableException(Reason.NOT_CONNECTED, null);
        } catch (ExecutionException e) {
            throw new RedisUnavailableException(RedisAddress.reasonOf(e), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisUnavailableException(Reason.INTERRUPTED, e);
        }
    }

    /** A refused login stays the reason between two attempts. */
    private Reason lastReason() {
        synchronized (connecting) {
            return told == Reason.LOGIN_REFUSED ? Reason.LOGIN_REFUSED : Reason.NOT_CONNECTED;
        }
    }

    /** Null while an attempt is under way, or the last one failed a moment ago. */
    private @Nullable CompletableFuture<StatefulRedisConnection<String, String>> beginToConnect() {
        synchronized (connecting) {
            CompletableFuture<StatefulRedisConnection<String, String>> last = attempt;
            if (last != null && !last.isCompletedExceptionally()) {
                return last.isDone() ? last : null;
            }
            if (closed || System.nanoTime() - nextAttempt < 0) {
                return null;
            }
            nextAttempt = System.nanoTime() + MAX_RECONNECT_DELAY.toNanos();
            CompletableFuture<StatefulRedisConnection<String, String>> begun = connect();
            attempt = begun;
            return begun;
        }
    }

    private CompletableFuture<StatefulRedisConnection<String, String>> connect() {
        try {
            return client.connectAsync(StringCodec.UTF8, uri)
                    .toCompletableFuture()
                    .thenApply(this::connected)
                    .whenComplete((fresh, failure) -> {
                        if (failure != null) {
                            tellFailure(RedisAddress.reasonOf(failure));
                        }
                    });
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private StatefulRedisConnection<String, String> connected(StatefulRedisConnection<String, String> fresh) {
        synchronized (connecting) {
            if (!closed) { // the client closes what was connected during its shutdown
                connection = fresh;
                told = null;
                log.info("[RedisLink] connected host={} port={}", uri.getHost(), uri.getPort());
            }
        }
        return fresh;
    }

    /** Whether the link is connected. If it is not, an attempt begins in the background; the caller never waits for it. */
    public boolean connectInBackground() {
        return connection != null || isOpen(beginToConnect());
    }

    private static boolean isOpen(@Nullable CompletableFuture<?> attempt) {
        return attempt != null && attempt.isDone() && !attempt.isCompletedExceptionally();
    }

    /** Connects and waits for it, at most as long as the time-out; a Redis that is away is only logged. */
    public boolean tryConnect() {
        try {
            connection();
            return true;
        } catch (RedisUnavailableException away) {
            tellFailure(away.reason());
            return false;
        }
    }

    /** Says why there is no connection when the reason is a new one, not at every attempt. */
    private void tellFailure(Reason reason) {
        synchronized (connecting) {
            if (closed || told == reason) {
                return;
            }
            told = reason;
        }
        if (reason == Reason.LOGIN_REFUSED) {
            log.warn(
                    "[RedisLink] Redis refuses the user or the password of its address host={} port={}",
                    uri.getHost(),
                    uri.getPort());
        } else {
            log.warn("[RedisLink] Redis does not answer yet host={} port={}", uri.getHost(), uri.getPort());
        }
    }

    @Override
    public void close() {
        synchronized (connecting) {
            closed = true;
            attempt = null;
            connection = null;
        }
        client.shutdown(Duration.ZERO, connectTimeout);
        resources
                .shutdown(0, connectTimeout.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(connectTimeout.toMillis());
    }
}
