package dev.waybill.load;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One service's HTTP interface. A refusal for want of rate is waited out; while the service is away, or answers that a
 * dependency is, the call is made again with the same idempotency key until the patience ends.
 */
final class ServiceClient {

    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private static final int TOO_MANY = 429;
    private static final int IN_PROGRESS = 409;
    private static final Duration PAUSE = Duration.ofMillis(200);

    /** An answer in the envelope that all services use. */
    record Answer(int status, String code, JsonNode data, String text) {

        boolean ok() {
            return status == 200;
        }
    }

    private final URI base;
    private final Duration patience;
    private final AtomicLong throttled;
    private final AtomicLong repeated;
    private final String token;

    /** A service that asks nobody who they are. */
    ServiceClient(URI base, Duration patience, AtomicLong throttled, AtomicLong repeated) {
        this(base, patience, throttled, repeated, "");
    }

    private ServiceClient(URI base, Duration patience, AtomicLong throttled, AtomicLong repeated, String token) {
        this.token = token;
        this.base = base;
        this.patience = patience;
        this.throttled = throttled;
        this.repeated = repeated;
    }

    /** The same service, called with this token. */
    ServiceClient with(String bearerToken) {
        return new ServiceClient(base, patience, throttled, repeated, bearerToken);
    }

    Answer get(String path) throws InterruptedException {
        return untilAnswered(HttpRequest.newBuilder(base.resolve(path)).GET());
    }

    Answer post(String path, String idempotencyKey, Map<String, Object> body) throws InterruptedException {
        return untilAnswered(HttpRequest.newBuilder(base.resolve(path))
                .header("Content-Type", "application/json")
                .header("X-Idempotency-Key", idempotencyKey)
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    private Answer untilAnswered(HttpRequest.Builder builder) throws InterruptedException {
        if (!token.isEmpty()) {
            builder.header("Authorization", "Bearer " + token);
        }
        HttpRequest request = builder.timeout(Duration.ofSeconds(20)).build();
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
                Answer answer = answer(response);
                if (response.statusCode() == TOO_MANY) {
                    throttled.incrementAndGet();
                    giveUpAfter(end, request.uri() + " refuses for want of rate");
                    long seconds =
                            response.headers().firstValueAsLong("Retry-After").orElse(1);
                    TimeUnit.MILLISECONDS.sleep(seconds * 500 + (long) (Math.random() * seconds * 500));
                } else if (response.statusCode() >= 500 || stillRunning(answer)) {
                    again(end, request.uri() + " answered " + response.statusCode() + " " + answer.text());
                } else {
                    return answer;
                }
            } catch (IOException e) {
                again(end, request.uri() + " cannot be reached: " + e);
            }
        }
    }

    private static boolean stillRunning(Answer answer) {
        return answer.status() == IN_PROGRESS && answer.code().equals("A0401");
    }

    private void again(long end, String trouble) throws InterruptedException {
        giveUpAfter(end, trouble);
        repeated.incrementAndGet();
        TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    }

    private void giveUpAfter(long end, String trouble) {
        if (System.nanoTime() > end) {
            throw new IllegalStateException(trouble + "; gave up after " + patience.toSeconds() + " s");
        }
    }

    private static Answer answer(HttpResponse<String> response) {
        JsonNode body = JSON.readTree(response.body().isEmpty() ? "{}" : response.body());
        return new Answer(response.statusCode(), body.path("code").asString(""), body.path("data"), response.body());
    }
}
