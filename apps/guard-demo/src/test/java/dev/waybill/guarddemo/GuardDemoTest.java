package dev.waybill.guarddemo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@Servers(Server.REDIS)
class GuardDemoTest {

    private static RunningService start(ServiceSettings settings) {
        return new RunningService(GuardDemo.application(), settings);
    }

    private static HttpReply order(RunningService demo, String key, String body) {
        return demo.post("/demo/idempotent", body, "X-Idempotency-Key", key);
    }

    @Test
    void withNothingInstalledBothGuardsStand() {
        try (RunningService demo = start(ServiceSettings.none())) {
            HttpReply first = order(demo, "key123", "{\"item\":\"tea\",\"quantity\":1}");
            assertThat(first.status()).isEqualTo(200);
            assertThat(first.code()).isEqualTo("00000");
            assertThat(first.orderNo()).startsWith("ORD");
            assertThat(order(demo, "key123", "{\"item\":\"tea\",\"quantity\":1}")
                            .data()
                            .toString())
                    .isEqualTo(first.data().toString());
            assertThat(order(demo, "key123", " {\"quantity\": 1.0, \"item\": \"tea\"}")
                            .data()
                            .toString())
                    .isEqualTo(first.data().toString());
            assertThat(order(demo, "key124", "").orderNo())
                    .isEqualTo(order(demo, "key124", "{\"item\":null}").orderNo());
            assertThat(order(demo, "key123", "{\"item\":\"tea\",\"quantity\":2}")
                            .code())
                    .isEqualTo("A0402");
            HttpReply limited = demo.get("/demo/ratelimit");
            assertThat(limited.status()).isEqualTo(200);
            assertThat(limited.headers().firstValue("RateLimit-Policy")).contains("\"api\";q=200;w=1");
            assertThat(demo.statusCode("/actuator/health")).isEqualTo(200);
            assertThat(demo.statusCode("/actuator/prometheus")).isEqualTo(200);
        }
    }

    @Test
    void withRedisTheKeysAreTheSpecifications(Redis redis) {
        String key = UUID.randomUUID().toString();
        RedisClient direct = RedisClient.create(redis.url());
        try (RunningService demo =
                start(ServiceSettings.none().redis(redis.url()).set("waybill.guard.redis.timeout", "2s"))) {
            RedisCommands<String, String> commands = direct.connect().sync();
            assertThat(order(demo, key, "").status()).isEqualTo(200);
            assertThat(commands.get("idempotent:demo:order:" + key)).contains("\"key\":\"demo:order:" + key + "\"");
            demo.get("/demo/ratelimit");
            assertThat(commands.hget("ratelimit:api:DemoController.rateLimitDemo", "tokens"))
                    .isEqualTo("199");
            commands.del("idempotent:demo:order:" + key, "ratelimit:api:DemoController.rateLimitDemo");
        } finally {
            direct.shutdown();
        }
    }
}
