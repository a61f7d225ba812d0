package dev.waybill.guard.store;

import dev.waybill.guard.store.StoreUnavailableException.Reason;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One shared connection to Redis that runs Lua scripts, one round trip each, and never keeps a caller longer than the time-out.
 *
 * <p>While Redis is away every call fails at once instead of queueing, and nothing is sent a second time after a reconnect: a
 * repeated claim would meet its own first copy. The service starts without Redis, and finds it by itself when it comes.
 */
public final class RedisLink implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);
    /** A Redis that takes commands and answers none must not fill our memory; beyond this, calls fail at once. */
    private static final int LONGEST_QUEUE = 10_000;

    private static final Duration RECONNECT_FIRST = Duration.ofMillis(10);
    private static final Duration RECONNECT_LAST = Duration.ofMillis(500);

    private final ClientResources resources;
    private final RedisClient client;
    private final RedisURI uri;
    private final Duration timeout;
    private final AtomicLong nextAttempt = new AtomicLong(System.nanoTime());
    private final Object connecting = new Object();
    private volatile @Nullable StatefulRedisConnection<String, String> connection;
    private volatile boolean closed;

    /** @param timeout the longest that one call may take, connecting included */
    public RedisLink(String uri, Duration timeout) {
        this.uri = RedisURI.create(uri);
        this.uri.setTimeout(timeout);
        this.timeout = timeout;
        this.resources = DefaultClientResources.builder()
                .reconnectDelay(Delay.exponential(RECONNECT_FIRST, RECONNECT_LAST, 2, TimeUnit.MILLISECONDS))
                .build();
        this.client = RedisClient.create(resources, this.uri);
        client.setOptions(ClientOptions.builder()
                .autoReconnect(true)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .requestQueueSize(LONGEST_QUEUE)
                // We time out by ourselves: Lettuce's own would throw the late answer away, and with it the way to undo
                // the step.
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build())
                .build());
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

    private List<Object> await(CompletableFuture<List<Object>> answer, Consumer<List<Object>> late) {
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            listenOn(answer, late);
            throw new StoreUnavailableException(Reason.TIMED_OUT, null);
        } catch (ExecutionException e) {
            throw new StoreUnavailableException(Reason.FAILED, e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            listenOn(answer, late);
            throw new StoreUnavailableException(Reason.FAILED, e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody is left to hear of a failure
    private static void listenOn(CompletableFuture<List<Object>> answer, Consumer<List<Object>> late) {
        answer.thenAccept(late);
    }

    /** Runs the script without waiting. */
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

    private StatefulRedisConnection<String, String> connection() {
        StatefulRedisConnection<String, String> open = connection;
        if (open != null) {
            return open;
        }
        long due = nextAttempt.get();
        if (System.nanoTime() - due < 0
                || !nextAttempt.compareAndSet(due, System.nanoTime() + RECONNECT_LAST.toNanos())) {
            throw new StoreUnavailableException(Reason.NOT_CONNECTED, null);
        }
        return connect();
    }

    private StatefulRedisConnection<String, String> connect() {
        synchronized (connecting) {
            StatefulRedisConnection<String, String> open = connection;
            if (open != null) {
                return open;
            }
            if (closed) {
                throw new StoreUnavailableException(Reason.NOT_CONNECTED, null);
            }
            try {
                StatefulRedisConnection<String, String> fresh = client.connect(LuaScript.CODEC, uri);
                connection = fresh;
                log.info("[RedisLink] connected host={} port={}", uri.getHost(), uri.getPort());
                return fresh;
            } catch (RuntimeException e) {
                throw new StoreUnavailableException(Reason.NOT_CONNECTED, e);
            }
        }
    }

    /** Connects if Redis is there; says nothing if it is not. */
    public boolean tryConnect() {
        try {
            connection();
            return true;
        } catch (StoreUnavailableException away) {
            log.warn("[RedisLink] Redis does not answer yet host={} port={}", uri.getHost(), uri.getPort());
            return false;
        }
    }

    @Override
    public void close() {
        synchronized (connecting) {
            closed = true;
            connection = null;
        }
        client.shutdown(Duration.ZERO, timeout);
        resources.shutdown(0, timeout.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly(timeout.toMillis());
    }
}
