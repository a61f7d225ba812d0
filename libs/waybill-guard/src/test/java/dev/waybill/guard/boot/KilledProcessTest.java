package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.RedisDirect;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("kill")
@Servers(Server.REDIS)
class KilledProcessTest {

    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String LEASE = "6s";

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void aProcessKilledInTheMiddleBlocksTheKeyOnlyForTheLease(Redis redis, ChildJvms children) throws Exception {
        String sku = UUID.randomUUID().toString();
        String key = "idempotent:test:answer:" + sku;
        try (RedisDirect direct = new RedisDirect(redis)) {
            ChildJvm first = children.start(IdempotentChild.class, redis.url(), LEASE);
            ChildJvm second = children.start(IdempotentChild.class, redis.url(), LEASE);
            String firstPort = port(first);
            String secondPort = port(second);
            first.println("hold " + sku);
            first.waitForLine(line -> line.startsWith("holding"), PATIENCE);
            CompletableFuture<HttpResponse<String>> lost =
                    client.sendAsync(request(firstPort, sku), HttpResponse.BodyHandlers.ofString());
            Awaitility.await().atMost(PATIENCE).until(() -> direct.commands().exists(key) == 1);
            assertThat(direct.commands().get(key)).contains("\"status\":\"PROCESSING\"");
            first.kill9();
            long killedAt = System.nanoTime();
            assertThat(lost).failsWithin(PATIENCE);
            assertThat(send(secondPort, sku).body()).contains("A0401");
            HttpResponse<String> retry = Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> send(secondPort, sku), response -> response.statusCode() == 200);
            long blocked = Duration.ofNanos(System.nanoTime() - killedAt).toMillis();
            System.out.println("[KilledProcessTest] the key was free " + blocked + " ms after the kill");
            assertThat(blocked).isLessThan(6000 + 3000);
            assertThat(send(secondPort, sku).body()).contains(dataOf(retry));
            assertThat(direct.commands().get(key)).contains("\"status\":\"SUCCESS\"");
            direct.removeAll("idempotent:test:*");
        }
    }

    /**
     * The first process stalls past its lease, as in a long pause; the second finishes; the first wakes up and finishes
     * too.
     */
    @Test
    void aProcessThatWakesUpLateNeverOverwritesItsSuccessor(Redis redis, ChildJvms children) throws Exception {
        String sku = UUID.randomUUID().toString();
        String key = "idempotent:test:answer:" + sku;
        try (RedisDirect direct = new RedisDirect(redis)) {
            ChildJvm first = children.start(IdempotentChild.class, redis.url(), "2s");
            ChildJvm second = children.start(IdempotentChild.class, redis.url(), "2s");
            String firstPort = port(first);
            String secondPort = port(second);
            first.println("hold " + sku);
            first.waitForLine(line -> line.startsWith("holding"), PATIENCE);
            CompletableFuture<HttpResponse<String>> late =
                    client.sendAsync(request(firstPort, sku), HttpResponse.BodyHandlers.ofString());
            Awaitility.await().atMost(PATIENCE).until(() -> direct.commands().exists(key) == 1);
            first.pause();
            Awaitility.await().atMost(PATIENCE).until(() -> direct.commands().exists(key) == 0);
            HttpResponse<String> successor = send(secondPort, sku);
            assertThat(successor.statusCode()).isEqualTo(200);
            String stored = direct.commands().get(key);
            first.resume();
            first.println("open " + sku);
            assertThat(late.join().statusCode()).isEqualTo(200);
            assertThat(dataOf(late.join())).isNotEqualTo(dataOf(successor));
            assertThat(direct.commands().get(key)).isEqualTo(stored);
            assertThat(send(firstPort, sku).body()).contains(dataOf(successor));
            direct.removeAll("idempotent:test:*");
        }
    }

    private static String port(ChildJvm child) {
        return child.waitForLine(line -> line.startsWith("port="), PATIENCE).substring(5);
    }

    private HttpResponse<String> send(String port, String sku) throws IOException, InterruptedException {
        return client.send(request(port, sku), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(String port, String sku) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/answer"))
                .POST(HttpRequest.BodyPublishers.ofString(IdempotentHandlerContract.item(sku, 1)))
                .headers("Content-Type", "application/json", "X-Idempotency-Key", sku)
                .timeout(PATIENCE)
                .build();
    }

    private static String dataOf(HttpResponse<String> response) {
        String body = response.body();
        return body.substring(body.indexOf("\"data\":"), body.indexOf(",\"traceId\""));
    }
}
