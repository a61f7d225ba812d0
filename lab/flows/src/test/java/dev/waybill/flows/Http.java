package dev.waybill.flows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service seen from outside. */
record Http(int port) {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private static final JsonMapper JSON = new JsonMapper();

    /** An answer in the house's shape. */
    record Answer(int status, String code, JsonNode data, String text) {}

    Answer get(String path) {
        return send(request(path).GET());
    }

    Answer post(String path, String json, String... headers) {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
    }

    private static Answer send(HttpRequest.Builder request) {
        try {
            var response = CLIENT.send(request.build(), BodyHandlers.ofString());
            JsonNode body = JSON.readTree(response.body());
            return new Answer(
                    response.statusCode(), body.path("code").asString(""), body.path("data"), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
