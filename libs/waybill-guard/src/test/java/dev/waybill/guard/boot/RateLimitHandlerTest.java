package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.ratelimit.RateLimit.Per;
import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.RedisDirect;
import dev.waybill.guard.running.Service;
import dev.waybill.guard.web.CallerIdentity;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@Servers(Server.REDIS)
class RateLimitHandlerTest {

    /** So slow that nothing comes back while a test runs. */
    private static final double SLOW = 0.001;

    record Basket(String tenant, List<String> items) {}

    @RestController
    static class LimitedController {

        @GetMapping("/defaults")
        @RateLimit
        String defaults() {
            return "ok";
        }

        @GetMapping("/api")
        @RateLimit(rate = SLOW, capacity = 3)
        String api() {
            return "ok";
        }

        @GetMapping("/user")
        @RateLimit(rate = SLOW, capacity = 2, per = Per.USER)
        String user() {
            return "ok";
        }

        @GetMapping("/ip")
        @RateLimit(rate = SLOW, capacity = 2, per = Per.IP)
        String ip() {
            return "ok";
        }

        @PostMapping("/tenant")
        @RateLimit(
                rate = SLOW,
                capacity = 5,
                per = Per.EXPRESSION,
                key = "#basket.tenant",
                cost = "#basket.items.size()")
        String tenant(@RequestBody Basket basket) {
            return "ok";
        }

        @GetMapping("/tuned")
        @RateLimit
        String tuned() {
            return "ok";
        }

        @PostMapping("/both")
        @RateLimit(rate = SLOW, capacity = 2)
        @Idempotent(prefix = "test:both")
        String both(@RequestParam String x) {
            return "ok";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Extras {
        @Bean
        CallerIdentity callers() {
            return request -> request.getHeader("X-User");
        }

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    private static Service service;
    private static RedisDirect direct;

    @BeforeAll
    static void start(Redis redis) {
        direct = new RedisDirect(redis);
        service = Service.with(
                List.of(LimitedController.class, Extras.class),
                "waybill.guard.redis.uri=" + redis.url(),
                "waybill.guard.redis.timeout=2s",
                "waybill.guard.codes.A0500=RATE-429",
                "waybill.guard.ratelimit.apis[LimitedController.tuned].rate=0.5",
                "waybill.guard.ratelimit.apis[LimitedController.tuned].capacity=8",
                "waybill.guard.ratelimit.apis[LimitedController.tuned].cost=4");
    }

    @AfterEach
    void empty() {
        direct.removeAll("ratelimit:*:LimitedController.*");
        direct.removeAll("idempotent:test:both:*");
    }

    @AfterAll
    static void stop() {
        service.close();
        direct.close();
    }

    @Test
    void theDefaultBucketReadsBackAsTheSpecificationHasIt() {
        assertThat(service.get("/defaults").status()).isEqualTo(200);
        String key = "ratelimit:api:LimitedController.defaults";
        assertThat(direct.commands().hget(key, "tokens")).isEqualTo("199");
        assertThat(direct.commands().hgetall(key)).containsOnlyKeys("tokens", "lastRefillTime");
        assertThat(direct.commands().pttl(key)).isCloseTo(3000L, within(1000L));
    }

    @Test
    void overTheLimitTheCallerIsToldWhenToComeBack() {
        for (int left = 2; left >= 0; left--) {
            HttpReply reply = service.get("/api");
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.header("RateLimit-Policy")).isEqualTo("\"api\";q=3;w=3000");
            assertThat(reply.header("RateLimit")).startsWith("\"api\";r=" + left + ";t=");
        }
        HttpReply refused = service.get("/api");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("RATE-429");
        assertThat(refused.message()).startsWith("请求过于频繁");
        assertThat(Long.parseLong(refused.header("Retry-After"))).isBetween(900L, 1000L);
        assertThat(refused.header("RateLimit")).isEqualTo("\"api\";r=0;t=" + refused.header("Retry-After"));
        MeterRegistry registry = service.bean(MeterRegistry.class);
        assertThat(registry.get("waybill.guard.ratelimit.decisions")
                        .tags("api", "LimitedController.api", "outcome", "refused")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void usersHaveBucketsOfTheirOwn() {
        String nasty = "a\u00e9\u00e9 *:?{}".repeat(30);
        for (String user : List.of("alice", "bob", nasty)) {
            assertThat(service.get("/user", "X-User", user).status()).isEqualTo(200);
            assertThat(service.get("/user", "X-User", user).status()).isEqualTo(200);
            assertThat(service.get("/user", "X-User", user).status()).isEqualTo(429);
        }
        assertThat(direct.keys("ratelimit:user:*"))
                .contains("ratelimit:user:LimitedController.user:alice")
                .anyMatch(key -> key.matches("ratelimit:user:LimitedController.user:sha256-[0-9a-f]{64}"));
        assertThat(service.get("/user").status()).isEqualTo(200);
        assertThat(direct.keys("ratelimit:user:*"))
                .contains("ratelimit:user:LimitedController.user:anonymous@127.0.0.1");
    }

    @Test
    void addressesHaveBucketsOfTheirOwnAndHeadersDoNotForgeThem() {
        service.get("/ip", "X-Forwarded-For", "1.1.1.1");
        service.get("/ip", "X-Forwarded-For", "2.2.2.2", "Forwarded", "for=3.3.3.3");
        assertThat(service.get("/ip", "X-Forwarded-For", "4.4.4.4", "X-Real-IP", "5.5.5.5")
                        .status())
                .isEqualTo(429);
        assertThat(direct.keys("ratelimit:ip:*")).containsExactly("ratelimit:ip:LimitedController.ip:127.0.0.1");
    }

    @Test
    void anExpressionNamesTheBucketAndTheCost() {
        assertThat(service.post("/tenant", "{\"tenant\":\"t1\",\"items\":[\"a\",\"b\",\"c\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(service.post("/tenant", "{\"tenant\":\"t1\",\"items\":[\"a\",\"b\",\"c\"]}")
                        .status())
                .isEqualTo(429);
        assertThat(service.post("/tenant", "{\"tenant\":\"t2\",\"items\":[\"a\",\"b\",\"c\"]}")
                        .status())
                .isEqualTo(200);
        assertThat(service.post("/tenant", "{\"tenant\":\"t1\",\"items\":[]}").status())
                .isEqualTo(200);
        assertThat(service.post("/tenant", "{}").status()).isEqualTo(200);
        assertThat(direct.commands().hget("ratelimit:key:LimitedController.tenant:t1", "tokens"))
                .startsWith("1");
    }

    @Test
    void settingsOverrideTheAnnotation() {
        assertThat(service.get("/tuned").header("RateLimit-Policy")).isEqualTo("\"api\";q=8;w=16");
        assertThat(service.get("/tuned").status()).isEqualTo(200);
        assertThat(service.get("/tuned").status()).isEqualTo(429);
    }

    @Test
    void aRefusedRequestLeavesNoIdempotencyKey() {
        String first = UUID.randomUUID().toString();
        assertThat(service.post("/both?x=1", "{}", "X-Idempotency-Key", first).status())
                .isEqualTo(200);
        assertThat(service.post("/both?x=1", "{}", "X-Idempotency-Key", first).status())
                .isEqualTo(200);
        String refused = UUID.randomUUID().toString();
        assertThat(service.post("/both?x=1", "{}", "X-Idempotency-Key", refused).status())
                .isEqualTo(429);
        assertThat(service.post("/both?x=1", "{}", "X-Idempotency-Key", first).status())
                .isEqualTo(429);
        assertThat(direct.keys("idempotent:test:both:*")).containsExactly("idempotent:test:both:" + first);
    }
}
