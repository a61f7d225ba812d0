package dev.waybill.guard.running;

import dev.waybill.servers.Redis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;

/** Redis without the guards in between: what is really there, and a way to move its times. */
public final class RedisDirect implements AutoCloseable {

    private final RedisClient client;
    private final RedisCommands<String, String> commands;

    public RedisDirect(Redis redis) {
        client = RedisClient.create(redis.url());
        commands = client.connect().sync();
    }

    public RedisCommands<String, String> commands() {
        return commands;
    }

    public List<String> keys(String pattern) {
        return ScanIterator.scan(commands, ScanArgs.Builder.matches(pattern).limit(1000)).stream()
                .toList();
    }

    public void removeAll(String pattern) {
        keys(pattern).forEach(commands::del);
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
