package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.CapturedLog;
import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.Service;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

class TraceHeadersTest {

    private static final Logger log = LoggerFactory.getLogger(TraceHeadersTest.class);
    private static final String HEX = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String OTHER_HEX = "0af7651916cd43dd8448eb211c80319c";
    private static final String TRACEPARENT = "00-" + OTHER_HEX + "-b7ad6b7169203331-01";

    @RestController
    static class Spans {

        private final ObjectProvider<Tracer> tracer;
        private final RestClient.Builder client;

        Spans(ObjectProvider<Tracer> tracer, RestClient.Builder client) {
            this.tracer = tracer;
            this.client = client;
        }

        @GetMapping("/span")
        Map<String, String> span() {
            Span span = tracer.getObject().currentSpan();
            log.info("inside of a span");
            return Map.of(
                    "otelTraceId", span == null ? "" : span.context().traceId(),
                    "spanId", span == null ? "" : span.context().spanId(),
                    "mdc", String.valueOf(MDC.get("traceId")));
        }

        @GetMapping("/next")
        Map<?, ?> next(@RequestParam int port) {
            return client.build()
                    .get()
                    .uri("http://127.0.0.1:" + port + "/seen")
                    .retrieve()
                    .body(Map.class);
        }

        @GetMapping("/seen")
        Map<String, String> seen(
                @RequestHeader("X-Trace-Id") String ours, @RequestHeader("traceparent") String traceparent) {
            return Map.of("ours", ours, "traceparent", traceparent);
        }
    }

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.with(List.of(Spans.class), "management.tracing.sampling.probability=1.0");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void aHexTraceIdIsTheTraceThatOpenTelemetryJoins() {
        HttpReply reply = service.get("/span", "X-Trace-Id", HEX);
        assertThat(reply.traceId()).isEqualTo(HEX);
        assertThat(reply.data().get("otelTraceId").asString()).isEqualTo(HEX);
        assertThat(reply.header("traceparent"))
                .isEqualTo("00-" + HEX + "-" + reply.data().get("spanId").asString() + "-01");
    }

    @Test
    void aTraceOfOurOwnMakingIsJoinedToo() {
        HttpReply reply = service.get("/span");
        assertThat(reply.data().get("otelTraceId").asString()).isEqualTo(reply.traceId());
    }

    @Test
    void anotherTextStaysInTheLogBesideTheW3cTrace() {
        try (CapturedLog lines = new CapturedLog(service)) {
            HttpReply reply = service.get("/span", "X-Trace-Id", "order-17");
            assertThat(reply.traceId()).isEqualTo("order-17").isEqualTo(reply.header("X-Trace-Id"));
            assertThat(reply.data().get("mdc").asString()).isEqualTo("order-17");
            assertThat(reply.data().get("otelTraceId").asString()).matches("[0-9a-f]{32}");
            assertThat(lines.text())
                    .containsPattern(
                            "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} \\[[^]]+] \\[order-17] INFO .*inside of a span");
        }
    }

    @Test
    void whenBothHeadersDisagreeOpenTelemetryFollowsTraceparent() {
        HttpReply reply = service.get("/span", "X-Trace-Id", HEX, "traceparent", TRACEPARENT);
        assertThat(reply.traceId()).isEqualTo(HEX);
        assertThat(reply.data().get("otelTraceId").asString()).isEqualTo(OTHER_HEX);
        assertThat(reply.header("traceparent")).startsWith("00-" + OTHER_HEX + "-");
    }

    @Test
    void traceparentAloneNamesOurTrace() {
        HttpReply reply = service.get("/span", "traceparent", TRACEPARENT);
        assertThat(reply.traceId()).isEqualTo(OTHER_HEX);
        assertThat(reply.data().get("otelTraceId").asString()).isEqualTo(OTHER_HEX);
    }

    @Test
    void theTraceIsPassedOnToOtherServices() {
        HttpReply reply = service.get("/next?port=" + service.port(), "X-Trace-Id", "order-18");
        assertThat(reply.data().get("data").get("ours").asString()).isEqualTo("order-18");
        assertThat(reply.data().get("traceId").asString()).isEqualTo("order-18");
        assertThat(reply.data().get("data").get("traceparent").asString())
                .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]");
    }

    @Test
    void aServiceWithoutTracingHasTracesAllTheSame() {
        try (Service plain = Service.with(
                List.of(Spans.class),
                "management.tracing.enabled=false",
                "spring.autoconfigure.exclude="
                        + "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration")) {
            HttpReply reply = plain.get("/seen", "X-Trace-Id", HEX);
            assertThat(reply.traceId()).isEqualTo(HEX);
            assertThat(reply.header("traceparent")).matches("00-" + HEX + "-[0-9a-f]{16}-0[01]");
        }
    }
}
