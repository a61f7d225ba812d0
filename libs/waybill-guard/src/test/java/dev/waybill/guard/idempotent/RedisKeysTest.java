package dev.waybill.guard.idempotent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.guard.idempotent.Claim.Claimed;
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
class RedisKeysTest implements IdempotencyStoreContract {

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
        return new RedisKeys(link);
    }

    @Override
    public void expire(Subject subject) {
        direct.commands().del(subject.storeKey());
    }

    private static JsonNode value(Subject subject) {
        return JsonMapper.builder().build().readTree(direct.commands().get(subject.storeKey()));
    }

    @Test
    void aClaimReadsBackAsTheSpecificationHasIt() {
        Subject subject = IdempotencyStoreContract.subject();
        Claimed claim = claimed(subject);
        JsonNode value = value(subject);
        assertThat(value.propertyNames())
                .containsExactly("key", "status", "result", "traceId", "createdAt", "expireAt", "fence", "fingerprint");
        assertThat(subject.storeKey())
                .isEqualTo("idempotent:" + value.get("key").asString());
        assertThat(value.get("status").asString()).isEqualTo("PROCESSING");
        assertThat(value.get("result").isNull()).isTrue();
        assertThat(value.get("traceId").asString()).isEqualTo("trace-1");
        assertThat(value.get("createdAt").asLong()).isEqualTo(claim.createdAt());
        assertThat(value.get("expireAt").asLong()).isEqualTo(claim.createdAt() + LEASE.toMillis());
        assertThat(value.get("fence").asLong()).isEqualTo(claim.fence());
        assertThat(value.get("fingerprint").asString()).isEqualTo("print-1");
        assertThat(direct.commands().type(subject.storeKey())).isEqualTo("string");
        assertThat(direct.commands().pttl(subject.storeKey())).isCloseTo(LEASE.toMillis(), within(2000L));
    }

    @Test
    void aSuccessReadsBackAsTheSpecificationHasIt() {
        Subject subject = IdempotencyStoreContract.subject();
        Claimed claim = claimed(subject);
        store().complete(subject, claim, RESULT, DAY);
        JsonNode value = value(subject);
        assertThat(value.propertyNames())
                .containsExactly("key", "status", "result", "traceId", "createdAt", "expireAt", "fence", "fingerprint");
        assertThat(value.get("status").asString()).isEqualTo("SUCCESS");
        assertThat(value.get("result").isString()).isTrue();
        assertThat(value.get("result").asString()).isEqualTo(RESULT.json());
        assertThat(value.get("traceId").asString()).isEqualTo("trace-1");
        assertThat(value.get("createdAt").asLong()).isEqualTo(claim.createdAt());
        assertThat(value.get("expireAt").asLong()).isCloseTo(claim.createdAt() + 86_400_000L, within(2000L));
        assertThat(direct.commands().ttl(subject.storeKey())).isCloseTo(86_400L, within(2L));
    }

    @Test
    void aRenewedLeaseChangesNothingButItsEnd() throws Exception {
        Subject subject = IdempotencyStoreContract.subject();
        Claimed claim = claimed(subject);
        JsonNode before = value(subject);
        store().renew(subject, claim, Duration.ofSeconds(60))
                .toCompletableFuture()
                .get();
        JsonNode after = value(subject);
        assertThat(after.get("expireAt").asLong())
                .isGreaterThan(before.get("expireAt").asLong());
        assertThat(direct.commands().pttl(subject.storeKey())).isCloseTo(60_000L, within(2000L));
        for (String field : new String[] {"key", "status", "result", "traceId", "createdAt", "fence", "fingerprint"}) {
            assertThat(after.get(field)).isEqualTo(before.get(field));
        }
    }
}
