package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.running.RedisDirect;
import dev.waybill.redis.RedisLink;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Servers(Server.REDIS)
class RedisIdempotencyStoreTest implements IdempotencyStoreContract {

    private static RedisLink link;
    private static RedisDirect direct;

    @BeforeAll
    static void connect(Redis redis) {
        link = new RedisLink(redis.url(), Duration.ofSeconds(5));
        direct = new RedisDirect(redis);
    }

    @AfterAll
    static void cleanUp() {
        direct.removeAll("idempotent:test:*");
        direct.close();
        link.close();
    }

    @Override
    public IdempotencyStore store() {
        return new RedisIdempotencyStore(link);
    }

    @Override
    public void expire(KeyedRequest keyed) {
        direct.commands().del(keyed.storeKey());
    }

    private static JsonNode value(KeyedRequest keyed) {
        return JsonMapper.builder().build().readTree(direct.commands().get(keyed.storeKey()));
    }

    @Test
    void aClaimReadsBackAsTheSpecificationHasIt() {
        KeyedRequest keyed = IdempotencyStoreContract.keyed();
        Claimed claim = claimed(keyed);
        JsonNode value = value(keyed);
        assertThat(value.propertyNames())
                .containsExactly("key", "status", "result", "traceId", "createdAt", "expireAt", "fence", "fingerprint");
        assertThat(keyed.storeKey()).isEqualTo("idempotent:" + value.get("key").asString());
        assertThat(value.get("status").asString()).isEqualTo("PROCESSING");
        assertThat(value.get("result").isNull()).isTrue();
        assertThat(value.get("traceId").asString()).isEqualTo("trace-1");
        assertThat(value.get("createdAt").asLong()).isEqualTo(claim.createdAt());
        assertThat(value.get("expireAt").asLong()).isEqualTo(claim.createdAt() + LEASE.toMillis());
        assertThat(value.get("fence").asLong()).isEqualTo(claim.fence());
        assertThat(value.get("fingerprint").asString()).isEqualTo("print-1");
        assertThat(direct.commands().type(keyed.storeKey())).isEqualTo("string");
        assertThat(direct.commands().pttl(keyed.storeKey())).isCloseTo(LEASE.toMillis(), within(2000L));
    }

    @Test
    void aSuccessReadsBackAsTheSpecificationHasIt() {
        KeyedRequest keyed = IdempotencyStoreContract.keyed();
        Claimed claim = claimed(keyed);
        store().complete(keyed, claim, RESULT, DAY);
        JsonNode value = value(keyed);
        assertThat(value.propertyNames())
                .containsExactly("key", "status", "result", "traceId", "createdAt", "expireAt", "fence", "fingerprint");
        assertThat(value.get("status").asString()).isEqualTo("SUCCESS");
        assertThat(value.get("result").isString()).isTrue();
        assertThat(value.get("result").asString()).isEqualTo(RESULT.json());
        assertThat(value.get("traceId").asString()).isEqualTo("trace-1");
        assertThat(value.get("createdAt").asLong()).isEqualTo(claim.createdAt());
        assertThat(value.get("expireAt").asLong()).isCloseTo(claim.createdAt() + 86_400_000L, within(2000L));
        assertThat(direct.commands().ttl(keyed.storeKey())).isCloseTo(86_400L, within(2L));
    }

    @Test
    void aRenewedLeaseChangesNothingButItsEnd() throws Exception {
        KeyedRequest keyed = IdempotencyStoreContract.keyed();
        Claimed claim = claimed(keyed);
        JsonNode before = value(keyed);
        store().renew(keyed, claim, Duration.ofSeconds(60))
                .toCompletableFuture()
                .get();
        JsonNode after = value(keyed);
        assertThat(after.get("expireAt").asLong())
                .isGreaterThan(before.get("expireAt").asLong());
        assertThat(direct.commands().pttl(keyed.storeKey())).isCloseTo(60_000L, within(2000L));
        for (String field : new String[] {"key", "status", "result", "traceId", "createdAt", "fence", "fingerprint"}) {
            assertThat(after.get(field)).isEqualTo(before.get(field));
        }
    }
}
