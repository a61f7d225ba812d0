package dev.waybill.flows.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.flows.hostile.HostileRequest.Ending;
import dev.waybill.guarddemo.GuardDemo;
import dev.waybill.inventory.InventoryApplication;
import dev.waybill.marketplace.MarketplaceApplication;
import dev.waybill.order.OrderApplication;
import dev.waybill.servicetestkit.ConcurrentCalls;
import dev.waybill.servicetestkit.RawHttp;
import dev.waybill.servicetestkit.RawHttp.RawReply;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every service in this JVM, and callers that send what nobody should: each answer has the shape and a status below 500, what
 * was refused had no effect, memory stays where it was, and nobody writes a log line.
 *
 * <p>{@code ./dev hostile} runs it at full length, each time with other requests. {@code ./dev test} sends the same ones in every
 * run, so that a request which nobody thought of is found by whoever looks for it, not by whoever changes something else.
 * {@code -Dwaybill.seed} repeats a run.
 */
class HostileRequestsTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Set<String> SHAPE = Set.of("code", "message", "data", "traceId");
    private static final int REQUESTS = Integer.getInteger("waybill.hostile.count", 20_000);
    private static final long USUAL_SEED = 20_261_118;
    private static final int CALLERS = 16;
    private static final String STARTER = ""
            + "dev.waybill.starter.broker.BrokerAutoConfiguration,"
            + "dev.waybill.starter.WaybillAutoConfiguration,"
            + "dev.waybill.starter.redis.RedisShortcutAutoConfiguration,"
            + "dev.waybill.starter.inbox.InboxAutoConfiguration,"
            + "dev.waybill.starter.observability.RelayMetricsAutoConfiguration,"
            + "dev.waybill.starter.observability.RelayHealthAutoConfiguration,"
            + "dev.waybill.starter.observability.InboxMetricsAutoConfiguration,"
            + "dev.waybill.starter.observability.InboxHealthAutoConfiguration";
    private static final int ROUND = 5_000;

    /** What the databases keep in memory, and a kilobyte for each request whose result is remembered. */
    private static final long GROWTH = (64L << 20) + 1024L * REQUESTS;

    private static final Map<String, RunningService> SERVICES = new LinkedHashMap<>();

    private final HostileAudit audit = new HostileAudit();

    @BeforeAll
    static void start(@TempDir Path folder) {
        start("order", OrderApplication.application(), folder);
        start("inventory", InventoryApplication.application(), folder);
        start("marketplace", MarketplaceApplication.application(), folder);
        start("guard-demo", GuardDemo.application(), folder);
    }

    private static void start(String name, SpringApplicationBuilder application, Path folder) {
        ServiceSettings settings = ServiceSettings.embedded(folder)
                .set("waybill.guard.requests.body-deadline", "1s")
                .set("logging.threshold.console", "off")
                .set("spring.main.banner-mode", "off");
        if (name.equals("order")) {
            settings.set("waybill.guard.ratelimit.apis[OrderController.create].rate", 1_000_000)
                    .set("waybill.guard.ratelimit.apis[OrderController.create].capacity", 1_000_000);
        }
        if (name.equals("guard-demo")) { // it has no tables; the starter is here because of the other services
            settings.set("spring.autoconfigure.exclude", STARTER);
        }
        SERVICES.put(name, new RunningService(application, settings));
    }

    @AfterAll
    static void stop() {
        SERVICES.values().forEach(RunningService::close);
    }

    @Test
    void everyAnswerIsInShapeAndNoneHidesAnEffect() {
        long seed = Long.getLong("waybill.seed", USUAL_SEED);
        System.out.println("[HostileRequestsTest] -Dwaybill.seed=" + seed + " requests=" + REQUESTS);
        try (WatchedLog log = new WatchedLog(SERVICES.get("order").setting("logging.pattern.console"))) {
            attack(seed, 0);
            long before = usedMemory();
            for (int round = 1; round * ROUND < REQUESTS; round++) {
                attack(seed, round);
            }
            assertThat(usedMemory() - before).as("growth of the heap in bytes").isLessThan(GROWTH);
            assertThat(log.findings()).isEmpty();
        }
        System.out.println("[HostileRequestsTest] statuses " + audit.statuses());
        assertThat(audit.statuses()).containsKeys(200, 400, 404, 405, 406, 408, 413, 415);
        for (Write.Kind kind : Write.Kind.values()) {
            assertThat(perhapsDone(kind)).as(kind + " that were let through").isPositive();
            assertEffects(kind);
        }
    }

    private int perhapsDone(Write.Kind kind) {
        return audit.perhapsDoneBy(kind).get();
    }

    private void attack(long seed, int round) {
        ConcurrentCalls.run(CALLERS, caller -> {
            int number = round * CALLERS + caller;
            HostileRequests source = new HostileRequests(seed + number, "h" + number + "-");
            Map<String, RawHttp> connections = new LinkedHashMap<>();
            SERVICES.forEach((name, service) -> connections.put(name, new RawHttp(service.port())));
            for (int i = 0; i < ROUND / CALLERS; i++) {
                HostileRequest request = source.next();
                try {
                    send(request, connections.get(request.write().kind().service));
                } catch (IOException | RuntimeException e) {
                    throw new AssertionError("no answer to " + request, e);
                }
            }
            connections.values().forEach(HostileRequestsTest::close);
            return caller;
        });
    }

    private void send(HostileRequest request, RawHttp http) throws IOException {
        for (int piece = 0; piece < request.pieces().size(); piece++) {
            http.send(request.bytes(piece));
        }
        if (request.ending() == Ending.LEAVE) {
            http.close();
            audit.left(request);
            return;
        }
        if (request.ending() == Ending.HALF_CLOSE) {
            http.endOutput();
        }
        RawReply reply = request.isHead() ? head(http) : http.receive();
        assertThat(reply.status()).as(reply.text() + " to " + request).isBetween(200, 499);
        if (!request.isHead()) {
            assertInShape(request, reply);
        }
        if (request.isHead() || request.ending() == Ending.HALF_CLOSE) {
            http.close();
        }
        audit.answered(request, reply.status());
    }

    private static RawReply head(RawHttp http) throws IOException {
        RawReply reply = http.receiveHead();
        return reply.status() == 100 ? http.receiveHead() : reply;
    }

    private static void assertInShape(HostileRequest request, RawReply reply) {
        try {
            JsonNode json = JSON.readTree(reply.text());
            assertThat(Set.copyOf(json.propertyNames())).isEqualTo(SHAPE);
            assertThat(json.get("message").asString()).isNotEmpty();
            assertThat(json.get("traceId").asString()).matches("[A-Za-z0-9._:-]{1,64}");
            assertThat(json.get("code").asString().equals("00000")).isEqualTo(reply.status() < 300);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(reply + " to " + request, e);
        }
    }

    /** No refused request left a row, and no row is there without an answer that says so. */
    private void assertEffects(Write.Kind kind) {
        if (kind.effects.isEmpty()) {
            long made = SERVICES.get(kind.service)
                            .post(kind.path, "{}", "X-Idempotency-Key", "the-last")
                            .id()
                    - 1;
            assertThat(made).as("orders of the demo").isLessThanOrEqualTo(perhapsDone(kind));
            return;
        }
        Set<String> effects = new HashSet<>();
        SERVICES.get(kind.service)
                .rows(kind.effects)
                .forEach(row ->
                        effects.add(String.valueOf(row.values().iterator().next())));
        assertThat(audit.refusedOf(kind)).as("refused, and yet done").noneMatch(effects::contains);
        assertThat(effects.size()).as(kind + " in the table").isLessThanOrEqualTo(perhapsDone(kind));
    }

    private static long usedMemory() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void close(RawHttp http) {
        try {
            http.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
