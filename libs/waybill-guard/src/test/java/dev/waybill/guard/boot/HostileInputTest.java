package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.running.CapturedLog;
import dev.waybill.guard.running.Service;
import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.servicetestkit.RawHttp;
import dev.waybill.servicetestkit.RawHttp.RawReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HostileInputTest {

    private static final Logger log = LoggerFactory.getLogger(HostileInputTest.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, Code> CODES =
            Arrays.stream(Code.values()).collect(Collectors.toMap(Code::text, Function.identity()));
    private static final int REQUESTS = 10_400;
    private static final int CALLERS = 8;

    record Line(String sku, int quantity) {}

    record Order(String clientRequestId, Long userId, List<Line> items) {}

    @RestController
    static class Target {

        @PostMapping("/orders")
        @RateLimit(rate = 100_000, capacity = 100_000)
        @Idempotent(prefix = "hostile:order", key = "#order.clientRequestId", headerFirst = true)
        Answer<Integer> create(
                @RequestBody Order order, @RequestHeader(name = "X-Note", required = false) String note) {
            log.info("creating {} {} note={}", order.clientRequestId, order.items, note);
            return Answer.ok(order.items == null ? 0 : order.items.size());
        }

        @PostMapping("/raw")
        @Idempotent(prefix = "hostile:raw")
        Object raw(@RequestBody Map<String, Object> anything) {
            log.info("raw {}", anything.keySet());
            return anything;
        }

        @GetMapping("/orders/{id}")
        @RateLimit(rate = 100_000, capacity = 100_000, per = RateLimit.Per.IP)
        Answer<String> find(@PathVariable String id, @RequestParam(required = false) Integer page) {
            log.info("finding {} page={}", id, page);
            return Answer.ok(id);
        }
    }

    private static Service service;

    @BeforeAll
    static void start() {
        service = Service.with(
                List.of(Target.class),
                "logging.threshold.console=off",
                "logging.level.dev.waybill=debug",
                "logging.level.org.springframework.web=debug");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void everyHostileRequestIsAnsweredInShapeAndLeavesCleanLogs() {
        long seed = Long.getLong("waybill.seed", System.nanoTime());
        System.out.println("[HostileInputTest] -Dwaybill.seed=" + seed);
        Map<Integer, AtomicInteger> statuses = new java.util.concurrent.ConcurrentSkipListMap<>();
        try (CapturedLog lines = new CapturedLog(service)) {
            ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
            try {
                List<CompletableFuture<Void>> runs = IntStream.range(0, CALLERS)
                        .mapToObj(i -> CompletableFuture.runAsync(() -> attack(seed + i, statuses), callers))
                        .toList();
                runs.forEach(CompletableFuture::join);
            } finally {
                callers.shutdownNow();
            }
            assertClean(lines.text());
        }
        System.out.println("[HostileInputTest] statuses " + statuses);
        assertThat(statuses.values().stream().mapToInt(AtomicInteger::get).sum())
                .isGreaterThanOrEqualTo(10_000);
        assertThat(statuses.keySet())
                .contains(200, 400, 404, 405, 406, 415, 422)
                .allMatch(status -> status < 500);
    }

    private static void attack(long seed, Map<Integer, AtomicInteger> statuses) {
        Fuzz fuzz = new Fuzz(new SplittableRandom(seed));
        try (RawHttp http = new RawHttp(service.port())) {
            for (int i = 0; i < REQUESTS / CALLERS; i++) {
                Fuzz.Shot shot = fuzz.next();
                RawReply answered;
                try {
                    answered = http.exchange(shot.bytes(), shot.closeAfter());
                } catch (IOException | RuntimeException e) {
                    throw new AssertionError("no answer to " + shot, e);
                }
                assertInShape(shot, answered);
                statuses.computeIfAbsent(answered.status(), s -> new AtomicInteger())
                        .incrementAndGet();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertInShape(Fuzz.Shot shot, RawReply answered) {
        JsonNode json;
        try {
            json = JSON.readTree(answered.text());
        } catch (RuntimeException e) {
            throw new AssertionError(answered.status() + " " + answered.text() + "\nto " + shot, e);
        }
        assertThat(Set.copyOf(json.propertyNames()))
                .as(shot.toString())
                .isEqualTo(Set.of("code", "message", "data", "traceId"));
        Code code = CODES.get(json.get("code").asString());
        assertThat(code).as(answered.text()).isNotNull();
        assertThat(json.get("message").asString()).isNotEmpty();
        assertThat(json.get("traceId").asString()).matches("[A-Za-z0-9._:-]{1,64}");
        int status = answered.status();
        boolean fits = switch (code) {
            case OK -> status >= 200 && status < 300;
            case BAD_INPUT -> status >= 400 && status < 500 && status != 404 && status != 409 && status != 429;
            case INTERNAL -> status >= 500;
            default -> status == code.status();
        };
        assertThat(fits && status < 500).as(status + " " + code + " to " + shot).isTrue();
    }

    static void assertClean(String text) {
        assertThat(text.chars()
                        .filter(c -> c != '\n' && Character.isISOControl(c))
                        .boxed())
                .isEmpty();
        assertThat(text).doesNotContain("\u2028").doesNotContain("\u2029");
        // Every line is a log line, a line of a stack trace, or indented: nobody can write one through a request.
        assertThat(text.split("\n"))
                .allSatisfy(line -> assertThat(line)
                        .matches("(\\d{4}-\\d\\d-\\d\\d [\\d:.]{12} \\[[^]]*] \\[[A-Za-z0-9._:-]*] [A-Z]+ .*|  "
                                + "  .*|Caused by: .*|[\\w.$]+(Exception|Error).*|)"));
    }

    @Test
    void theNamedAttacksAreRefusedAsTheyShould() throws IOException {
        try (RawHttp http = new RawHttp(service.port())) {
            assertStatus(
                    http,
                    400,
                    "GET /orders/1 HTTP/1.1\r\nHost: x\r\nX-Big: " + "a".repeat(10_240) + "\r\n\r\n",
                    "A0400");
            assertStatus(http, 400, "GET /orders/1 HTTP/1.1\r\nHost: x\r\nX-Trace-Id: a\rb\r\n\r\n", "A0400");
            assertStatus(http, 400, "GET /orders/\u0001 HTTP/1.1\r\nHost: x\r\n\r\n", "A0400");
            assertStatus(http, 400, "GET /orders/%00%zz HTTP/1.1\r\nHost: x\r\n\r\n", "A0400");
            assertStatus(http, 400, "GET /orders/a%2fb HTTP/1.1\r\nHost: x\r\n\r\n", "A0400");
            assertStatus(http, 400, "GET /orders/1?%zz=1 HTTP/1.1\r\nHost: x\r\n\r\n", "A0400");
            String half = post("/raw", "{\"a\":\"\\ud800\"}").replace("Host: x", "Host: x\r\nX-Idempotency-Key: half");
            assertStatus(http, 200, half, "00000");
            assertStatus(http, 200, half, "00000");
            assertStatus(http, 400, "GARBAGE\r\n\r\n", "A0400");
            assertStatus(http, 400, post("/orders", "[".repeat(50_000)), "A0400");
            assertStatus(
                    http,
                    413,
                    post("/orders", "{\"clientRequestId\":\"" + "x".repeat(2 * 1024 * 1024) + "\"}"),
                    "A0400");
            assertStatus(http, 400, post("/orders", "null"), "A0400");
            assertStatus(http, 400, post("/orders", "{\"clientRequestId\":{},\"userId\":\"x\",\"items\":7}"), "A0400");
            assertStatus(http, 400, post("/orders", "{\"clientRequestId\":null}"), "A0403");
        }
    }

    private static String post(String path, String body) {
        return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    private static void assertStatus(RawHttp http, int status, String request, String code) throws IOException {
        String shown = request.substring(0, Math.min(80, request.length()));
        RawReply answered = http.exchange(request.getBytes(StandardCharsets.UTF_8), false);
        assertThat(answered.status()).as(shown + " got " + answered.text()).isEqualTo(status);
        assertThat(answered.contentType()).as(shown).startsWith("application/json");
        JsonNode json = JSON.readTree(answered.text());
        assertThat(Set.copyOf(json.propertyNames())).as(shown).isEqualTo(Set.of("code", "message", "data", "traceId"));
        assertThat(json.get("code").asString()).as(shown).isEqualTo(code);
    }

    @Test
    void aMessageCannotForgeALogLine() {
        try (CapturedLog lines = new CapturedLog(service)) {
            log.warn(
                    "a\r\n2026-01-01 00:00:00.000 [main] [x] ERROR forged\u0007\u001b[31m",
                    new IllegalStateException("b\n2026-01-01 00:00:00.000 [main] [x] ERROR forged\u2028 too"));
            ByteArrayOutputStream ignored = new ByteArrayOutputStream();
            assertThat(ignored.size()).isZero();
            assertClean(lines.text());
            assertThat(lines.lines()).noneMatch(line -> line.startsWith("2026-01-01 00:00:00.000"));
            assertThat(lines.text()).contains("    2026-01-01").contains("at dev.waybill");
        }
    }
}
