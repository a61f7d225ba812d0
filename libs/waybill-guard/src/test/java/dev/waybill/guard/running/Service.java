package dev.waybill.guard.running;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A service on a port of its own, with the given handlers and settings. */
public final class Service implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Nothing but auto-configuration: the guards must need no more. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = {
                SecurityAutoConfiguration.class,
                ServletWebSecurityAutoConfiguration.class,
                SecurityFilterAutoConfiguration.class,
                UserDetailsServiceAutoConfiguration.class,
                ManagementWebSecurityAutoConfiguration.class
            })
    public static class Empty {}

    /** The same with Spring Security, which is on the class path for the one test that is about it. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Secured {}

    private final ConfigurableApplicationContext context;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private Service(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static Service with(List<Class<?>> sources, String... settings) {
        List<Class<?>> all = new ArrayList<>(sources);
        if (!sources.contains(Secured.class)) {
            all.add(0, Empty.class);
        }
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--management.otlp.metrics.export.enabled=false",
                "--management.logging.export.enabled=false"));
        for (String setting : settings) {
            arguments.add("--" + setting);
        }
        return new Service(
                new SpringApplicationBuilder(all.toArray(Class<?>[]::new)).run(arguments.toArray(String[]::new)));
    }

    public int port() {
        return ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(PATIENCE);
    }

    public HttpReply get(String path, String... headers) {
        return send(headers(request(path).GET(), headers));
    }

    public HttpReply post(String path, String json, String... headers) {
        return send(post(request(path), json, headers));
    }

    public CompletableFuture<HttpReply> postLater(String path, String json, String... headers) {
        return client.sendAsync(post(request(path), json, headers).build(), utf8())
                .thenApply(HttpReply::of);
    }

    public CompletableFuture<HttpReply> getLater(String path, String... headers) {
        return client.sendAsync(headers(request(path).GET(), headers).build(), utf8())
                .thenApply(HttpReply::of);
    }

    public HttpReply send(HttpRequest.Builder request) {
        try {
            return HttpReply.of(client.send(request.build(), utf8()));
        } catch (IOException e) {
            throw new AssertionError("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static HttpRequest.Builder post(HttpRequest.Builder request, String json, String... headers) {
        request.POST(HttpRequest.BodyPublishers.ofString(json)).header("Content-Type", "application/json");
        return headers(request, headers);
    }

    private static HttpRequest.Builder headers(HttpRequest.Builder request, String... headers) {
        return headers.length == 0 ? request : request.headers(headers);
    }

    private static HttpResponse.BodyHandler<String> utf8() {
        return HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        context.close();
        // Boot leaves it behind, and the next service of this JVM would log as little as this one.
        System.clearProperty("CONSOLE_LOG_THRESHOLD");
    }
}
