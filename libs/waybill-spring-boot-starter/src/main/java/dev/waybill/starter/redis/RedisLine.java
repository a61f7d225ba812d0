package dev.waybill.starter.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One shared connection, opened in the background and again after a failure. While Redis is away, commands fail at once. */
final class RedisLine implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** A Redis that takes commands and answers none must not fill our memory. */
    private static final int LONGEST_QUEUE = 10_000;

    private final RedisClient client;
    private final RedisURI uri;
    private @Nullable CompletableFuture<StatefulRedisConnection<String, String>> opening;
    private long openAgain = System.nanoTime();

    RedisLine(RedisURI uri) {
        this.uri = uri;
        uri.setTimeout(CONNECT);
        this.client = RedisClient.create();
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(LONGEST_QUEUE)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT)
                        .keepAlive(true)
                        .build())
                .build());
    }

    /** Null while there is no connection yet; never waits for one. */
    synchronized @Nullable RedisAsyncCommands<String, String> commands() {
        CompletableFuture<StatefulRedisConnection<String, String>> known = opening;
        if (known == null || (known.isCompletedExceptionally() && System.nanoTime() - openAgain >= 0)) {
            openAgain = System.nanoTime() + PAUSE.toNanos();
            known = client.connectAsync(StringCodec.UTF8, uri).toCompletableFuture();
            opening = known;
        }
        return known.isDone() && !known.isCompletedExceptionally()
                ? known.join().async()
                : null;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, CONNECT);
    }
}
