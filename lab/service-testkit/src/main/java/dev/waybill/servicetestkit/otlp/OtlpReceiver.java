package dev.waybill.servicetestkit.otlp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Receives traces over HTTP on loopback, in OTLP's binary encoding, as a collector does. */
public final class OtlpReceiver implements AutoCloseable {

    private static final String PATH = "/v1/traces";

    private final HttpServer server;
    private final List<OtlpSpan> received = new CopyOnWriteArrayList<>();

    private OtlpReceiver(HttpServer server) {
        this.server = server;
    }

    public static OtlpReceiver open() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        OtlpReceiver receiver = new OtlpReceiver(server);
        server.createContext(PATH, receiver::take);
        server.start();
        return receiver;
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            if (!"application/x-protobuf".equals(type)) {
                exchange.sendResponseHeaders(415, -1);
                return;
            }
            byte[] body = exchange.getRequestBody().readAllBytes();
            received.addAll(OtlpSpan.of(ProtobufFields.read(ByteBuffer.wrap(body))));
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, -1); // an empty message is an empty body
        }
    }

    /** What makes a Spring Boot application send its spans here, all of them and soon. */
    public Map<String, String> settings() {
        return Map.of(
                "management.opentelemetry.tracing.export.otlp.endpoint",
                "http://127.0.0.1:" + server.getAddress().getPort() + PATH,
                "management.opentelemetry.tracing.export.schedule-delay",
                "100ms",
                "management.tracing.sampling.probability",
                "1.0");
    }

    /** In the order in which they came, which is about that in which they ended. */
    public List<OtlpSpan> spans() {
        return List.copyOf(received);
    }

    public List<OtlpSpan> trace(String traceId) {
        return received.stream().filter(span -> span.traceId().equals(traceId)).toList();
    }

    public List<OtlpSpan> named(String name) {
        return received.stream().filter(span -> span.name().equals(name)).toList();
    }

    /** The way to this span: its parents as far as they were received, the oldest first, and the span. */
    public List<OtlpSpan> wayTo(OtlpSpan last) {
        Deque<OtlpSpan> way = new ArrayDeque<>();
        for (Optional<OtlpSpan> next = Optional.of(last); next.isPresent(); next = parentOf(next.get())) {
            way.addFirst(next.get());
        }
        return List.copyOf(way);
    }

    private Optional<OtlpSpan> parentOf(OtlpSpan span) {
        return received.stream().filter(span::isChildOf).findFirst();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
