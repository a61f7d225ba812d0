package dev.waybill.servicetestkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Calls over HTTP to a service on this machine. */
@FunctionalInterface
public interface HttpCalls {

    int port();

    default HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofMinutes(1));
    }

    /** The same service, called with this token. */
    default HttpCalls with(String token) {
        HttpCalls service = this;
        return new HttpCalls() {
            @Override
            public int port() {
                return service.port();
            }

            @Override
            public HttpRequest.Builder request(String path) {
                return service.request(path).setHeader("Authorization", "Bearer " + token);
            }
        };
    }

    default HttpReply get(String path) {
        return send(request(path).GET());
    }

    /** With an empty body. */
    default HttpReply post(String path) {
        return post(path, "");
    }

    /** Headers are given as names and values in turns. */
    default HttpReply post(String path, String json, String... headers) {
        HttpRequest.Builder request =
                request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    default HttpReply send(HttpRequest.Builder request) {
        return HttpReply.of(exchange(request, BodyHandlers.ofString()));
    }

    /** A page that is no JSON. */
    default String page(String path) {
        return exchange(request(path), BodyHandlers.ofString()).body();
    }

    /** For a page whose body is no JSON. */
    default int statusCode(String path) {
        return exchange(request(path), BodyHandlers.discarding()).statusCode();
    }

    private static <T> HttpResponse<T> exchange(HttpRequest.Builder request, BodyHandler<T> body) {
        try {
            return Shared.CLIENT.send(request.build(), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** One client for all tests of a process, made when it is first used. */
    final class Shared {

        private static final HttpClient CLIENT =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

        private Shared() {}
    }
}
