package dev.waybill.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.redis.RedisUnavailableException.Reason;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Servers(Server.REDIS)
class RedisLinkTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final String key = "waybill-test:" + UUID.randomUUID();

    private static String through(FaultProxy proxy, Redis redis) {
        return "redis://:" + redis.password() + "@" + proxy.host() + ":" + proxy.port();
    }

    /** A script whose text no Redis has seen. */
    private static LuaScript fresh() {
        return LuaScript.of("return {KEYS[1], ARGV[1]} -- " + UUID.randomUUID());
    }

    @Test
    void aScriptThatRedisDoesNotHaveIsSentAndThenKnownByItsDigest(Redis redis) {
        try (RedisLink link = new RedisLink(redis.url(), TIMEOUT)) {
            LuaScript script = fresh();
            assertThat(link.run(script, key, "a")).isEqualTo(List.of(key, "a"));
            assertThat(link.run(new LuaScript("error('only the digest may be used')", script.sha1()), key, "b"))
                    .isEqualTo(List.of(key, "b"));
        }
    }

    @Test
    void aValueIsThereUntilItsTimeToLiveEnds(Redis redis) {
        try (RedisLink link = new RedisLink(redis.url(), TIMEOUT)) {
            assertThat(link.exists(key)).isFalse();
            assertThat(link.set(key, "1", Duration.ofMinutes(1)).toCompletableFuture())
                    .succeedsWithin(TIMEOUT);
            assertThat(link.exists(key)).isTrue();
            assertThat(link.set(key, "1", Duration.ofMillis(1)).toCompletableFuture())
                    .succeedsWithin(TIMEOUT);
            await().until(() -> !link.exists(key));
        }
    }

    @Test
    void whileRedisIsAwayStepsFailAtOnceAndTheLinkConnectsWhenItComes(Redis redis) {
        try (FaultProxy proxy = FaultProxy.to(redis)) {
            proxy.refuse();
            try (RedisLink link = new RedisLink(through(proxy, redis), TIMEOUT)) {
                assertThat(link.tryConnect()).isFalse();
                assertThatThrownBy(() -> link.exists(key))
                        .isInstanceOfSatisfying(
                                RedisUnavailableException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.NOT_CONNECTED));
                proxy.heal();
                await().until(link::tryConnect);
                assertThat(link.exists(key)).isFalse();
            }
        }
    }

    @Test
    void connectingInTheBackgroundKeepsNobodyWaiting(Redis redis) {
        try (RedisLink link = new RedisLink(redis.url(), TIMEOUT)) {
            await().until(link::connectInBackground);
            assertThat(link.exists(key)).isFalse();
        }
    }

    @Test
    void anAnswerAfterTheTimeOutIsHandedToWhoeverUndoesTheStep(Redis redis) {
        Duration shortTimeout = Duration.ofMillis(300);
        Queue<List<Object>> late = new ConcurrentLinkedQueue<>();
        LuaScript script = fresh();
        try (RedisLink link = new RedisLink(redis.url(), shortTimeout, TIMEOUT)) {
            await().until(link::connectInBackground);
            redis.pause();
            try {
                assertThatThrownBy(() -> link.run(script, late::add, key, "a"))
                        .isInstanceOfSatisfying(
                                RedisUnavailableException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.TIMED_OUT));
                assertThat(late).isEmpty();
            } finally {
                redis.resume();
            }
            await().until(() -> late.contains(List.of(key, "a")));
        }
    }

    @Test
    void aClosedLinkIsNotConnected(Redis redis) {
        RedisLink link = new RedisLink(redis.url(), TIMEOUT);
        link.close();
        assertThat(link.connectInBackground()).isFalse();
        assertThatThrownBy(() -> link.exists(key)).isInstanceOf(RedisUnavailableException.class);
    }

    @Test
    void aWrongPasswordIsToldFromARedisThatIsAway(Redis redis) {
        String wrong = "redis://:not-the-password@" + redis.host() + ":" + redis.port();
        String none = "redis://" + redis.host() + ":" + redis.port();
        for (String address : List.of(wrong, none)) {
            try (RedisLink link = new RedisLink(address, TIMEOUT)) {
                assertThat(link.tryConnect()).isFalse();
                assertThatThrownBy(() -> link.exists(key))
                        .isInstanceOfSatisfying(
                                RedisUnavailableException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.LOGIN_REFUSED))
                        .hasMessageNotContaining("password");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:sec#ret@host:6379",
                "redis://:sec?ret@host:6379",
                "redis://:sec/ret@host:6379",
                "redis://user:123#45@host:6379",
                "redis://user:123?45@host:6379",
                "redis://:secret@host:6379x",
                "redis://:sec ret@host"
            })
    void aPasswordThatBreaksTheAddressIsNotTakenForItsHost(String address) {
        assertThat(RedisLink.isAddress(address)).isFalse();
    }

    @Test
    void addressesOfEveryKindAreRead() {
        for (String address : List.of(
                "redis://:s%23ecret@host:6379/5?timeout=1s",
                "rediss://user:secret@10.0.0.1",
                "redis://[::1]:6379",
                "redis-socket:///var/run/redis.sock",
                "redis-sentinel://:secret@one:26379,two:26379#main")) {
            assertThat(RedisLink.isAddress(address)).as(address).isTrue();
        }
    }

    @Test
    void anAddressThatCannotBeReadIsNotRepeatedBecauseItMayHoldAPassword() {
        assertThat(RedisLink.isAddress("redis://localhost:6379")).isTrue();
        assertThat(RedisLink.isAddress(null)).isFalse();
        assertThat(RedisLink.isAddress("")).isFalse();
        assertThatThrownBy(() -> new RedisLink("nonsense://:secret@host", TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageNotContaining("secret");
    }
}
