package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.guard.running.RedisDirect;
import dev.waybill.redis.RedisLink;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Servers(Server.REDIS)
class RedisBucketStoreTest implements BucketStoreContract {

    private static RedisLink link;
    private static RedisDirect direct;

    @BeforeAll
    static void connect(Redis redis) {
        link = new RedisLink(redis.url(), Duration.ofSeconds(5));
        direct = new RedisDirect(redis);
    }

    @AfterAll
    static void cleanUp() {
        direct.removeAll("ratelimit:test:*");
        direct.close();
        link.close();
    }

    @Override
    public BucketStore store() {
        return new RedisBucketStore(link);
    }

    /** Redis's clock rules, so the bucket's last refill moves the other way. */
    @Override
    public void pass(String key, Duration time) {
        direct.commands().hincrby(key, "lastRefillTime", -time.toMillis());
    }

    @Test
    void aBucketReadsBackAsTheSpecificationHasIt() {
        String key = BucketStoreContract.key();
        long before = redisMillis();
        store().take(key, new TokenBucket(200, 200), 2, 2);
        Map<String, String> hash = direct.commands().hgetall(key);
        assertThat(direct.commands().type(key)).isEqualTo("hash");
        assertThat(hash).containsOnlyKeys("tokens", "lastRefillTime").containsEntry("tokens", "198");
        assertThat(Long.parseLong(hash.get("lastRefillTime"))).isBetween(before, redisMillis());
        assertThat(direct.commands().pttl(key)).isBetween(2000L, 3000L);
    }

    @ParameterizedTest
    @CsvSource({"200,200,3", "10,100,21", "0.5,3,13", "3,10,8"})
    void theTimeToLiveIsTwiceTheTimeToFillAndASecond(double rate, long capacity, long seconds) {
        String key = BucketStoreContract.key();
        store().take(key, new TokenBucket(rate, capacity), 1, 1);
        assertThat(direct.commands().pttl(key)).isCloseTo(seconds * 1000, within(1000L));
    }

    @Test
    void aScriptThatRedisForgotIsSentAgain() {
        direct.commands().scriptFlush();
        assertThat(store().take(BucketStoreContract.key(), SLOW, 1, 1)).isInstanceOf(TakeResult.Granted.class);
    }

    @Test
    void oneDecisionIsOneCommand() {
        String key = BucketStoreContract.key();
        store().take(key, SLOW, 1, 1);
        long before = commandsProcessed();
        for (int i = 0; i < 100; i++) {
            store().take(key, SLOW, 1, 1);
        }
        // Some room, because others may use the same Redis.
        assertThat(commandsProcessed() - before).isBetween(100L, 110L);
    }

    private static long commandsProcessed() {
        return direct.commands()
                .info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_evalsha:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("^cmdstat_evalsha:calls=(\\d+).*", "$1")))
                .findFirst()
                .orElse(0);
    }

    private static long redisMillis() {
        var time = direct.commands().time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }

    @Test
    void aClockThatStepsBackNeitherGivesNorStarves() {
        String key = BucketStoreContract.key();
        store().take(key, SLOW, 10, 10);
        pass(key, Duration.ofHours(-1));
        assertThat(store().take(key, SLOW, 1, 1)).isInstanceOf(TakeResult.Refused.class);
        pass(key, Duration.ofSeconds(101));
        assertThat(store().take(key, SLOW, 1, 1)).isEqualTo(new TakeResult.Granted(1, 0));
    }
}
