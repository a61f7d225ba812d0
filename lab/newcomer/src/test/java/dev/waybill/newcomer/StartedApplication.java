package dev.waybill.newcomer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** A newcomer's application that has started or refused to, and everything that its user sees: the console and HTTP. */
final class StartedApplication implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final PrintStream CONSOLE = System.out;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final @Nullable AutoCloseable context;

    /** Runs the main class with an empty database; what it prints goes to the console, too. */
    StartedApplication(ClassLoader loader, Stream<String> settings) {
        System.setOut(new PrintStream(new Copy(), true, UTF_8));
        Stream<String> basics = Stream.of(
                "server.port=0",
                "management.endpoint.health.show-details=always",
                "management.health.rabbit.enabled=false", // Spring's own, which logs a stack trace for each question
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());
        List<String> arguments =
                Stream.concat(basics, settings).map(each -> "--" + each).toList();
        Thread.currentThread().setContextClassLoader(loader);
        this.context = run(loader, arguments.toArray(String[]::new));
    }

    private static @Nullable AutoCloseable run(ClassLoader loader, String[] arguments) {
        try {
            return (AutoCloseable) loader.loadClass("org.springframework.boot.SpringApplication")
                    .getMethod("run", Class.class, String[].class)
                    .invoke(null, loader.loadClass("newcomer.Application"), arguments);
        } catch (InvocationTargetException refused) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    boolean isRunning() {
        return context != null;
    }

    String output() {
        return printed.toString(UTF_8);
    }

    /** What /actuator/health says of one indicator. */
    String health(String indicator) {
        return new JsonMapper()
                .readTree(get("/actuator/health"))
                .path("components")
                .path(indicator)
                .path("status")
                .asString("absent");
    }

    String get(String path) {
        return send(HttpRequest.newBuilder(uri(path)).build());
    }

    String post(String path) {
        return send(
                HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.noBody()).build());
    }

    private URI uri(String path) {
        Matcher port = PORT.matcher(output());
        if (!port.find()) {
            throw new AssertionError("it does not serve");
        }
        return URI.create("http://127.0.0.1:" + port.group(1) + path);
    }

    private static String send(HttpRequest request) {
        try {
            return HTTP.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        try {
            if (context != null) {
                context.close();
            }
        } catch (Exception e) {
            throw new AssertionError("it does not stop", e);
        } finally {
            System.setOut(CONSOLE);
        }
    }

    /** Writes into the memory of this application and to the console. */
    private final class Copy extends OutputStream {

        @Override
        public void write(int one) {
            printed.write(one);
            CONSOLE.write(one);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            printed.write(bytes, offset, length);
            CONSOLE.write(bytes, offset, length);
        }
    }
}
