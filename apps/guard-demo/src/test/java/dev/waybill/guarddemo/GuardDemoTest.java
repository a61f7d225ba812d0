package dev.waybill.guarddemo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

@Servers(Server.REDIS)
class GuardDemoTest {

    private final HttpClient client = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext start(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "--server.port=0";
        all[1] = "--server.address=127.0.0.1";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return SpringApplication.run(GuardDemo.class, all);
    }

    private HttpResponse<String> order(ConfigurableApplicationContext demo, String key, String body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(uri(demo, "/demo/idempotent"))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .headers("X-Idempotency-Key", key, "Content-Type", "application/json")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(ConfigurableApplicationContext demo, String path) {
        return URI.create("http://127.0.0.1:"
                + ((WebServerApplicationContext) demo).getWebServer().getPort() + path);
    }

    private static String dataOf(HttpResponse<String> response) {
        String body = response.body();
        return body.substring(body.indexOf("\"data\":"), body.indexOf(",\"traceId\""));
    }

    @Test
    void withNothingInstalledBothGuardsStand() throws Exception {
        try (ConfigurableApplicationContext demo = start()) {
            HttpResponse<String> first = order(demo, "key123", "{\"item\":\"tea\",\"quantity\":1}");
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.body()).contains("\"code\":\"00000\"").contains("\"orderNo\":\"ORD");
            assertThat(dataOf(order(demo, "key123", "{\"item\":\"tea\",\"quantity\":1}")))
                    .isEqualTo(dataOf(first));
            assertThat(order(demo, "key123", "{\"item\":\"tea\",\"quantity\":2}")
                            .body())
                    .contains("A0402");
            HttpResponse<String> limited = client.send(
                    HttpRequest.newBuilder(uri(demo, "/demo/ratelimit")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(limited.statusCode()).isEqualTo(200);
            assertThat(limited.headers().firstValue("RateLimit-Policy")).contains("\"api\";q=200;w=1");
        }
    }

    @Test
    void withRedisTheKeysAreTheSpecifications(Redis redis) throws Exception {
        String key = UUID.randomUUID().toString();
        RedisClient direct = RedisClient.create(redis.url());
        try (ConfigurableApplicationContext demo =
                start("--waybill.guard.redis.uri=" + redis.url(), "--waybill.guard.redis.timeout=2s")) {
            RedisCommands<String, String> commands = direct.connect().sync();
            assertThat(order(demo, key, "").statusCode()).isEqualTo(200);
            assertThat(commands.get("idempotent:demo:order:" + key)).contains("\"key\":\"demo:order:" + key + "\"");
            client.send(
                    HttpRequest.newBuilder(uri(demo, "/demo/ratelimit")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(commands.hget("ratelimit:api:DemoController.rateLimitDemo", "tokens"))
                    .isEqualTo("199");
            commands.del("idempotent:demo:order:" + key, "ratelimit:api:DemoController.rateLimitDemo");
        } finally {
            direct.shutdown();
        }
    }
}
