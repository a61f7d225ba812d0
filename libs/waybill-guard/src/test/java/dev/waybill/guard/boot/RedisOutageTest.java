package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.ratelimit.RateLimit.WhenDown;
import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.RedisDirect;
import dev.waybill.guard.running.Service;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Redis goes away and comes back while requests keep coming. */
@Tag("outage")
@Servers(Server.REDIS)
class RedisOutageTest {

    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** Two time-outs and the time that a busy machine takes to run a request at all. */
    private static final long LONGEST_ANSWER_MILLIS = 2 * TIMEOUT.toMillis() + 4000;

    @RestController
    static class OutageController {

        @GetMapping("/allow")
        @RateLimit(rate = 0.01, capacity = 5, whenDown = WhenDown.ALLOW)
        String allow() {
            return "ran";
        }

        @GetMapping("/refuse")
        @RateLimit(rate = 10_000, capacity = 10_000, whenDown = WhenDown.REFUSE)
        String refuse() {
            return "ran";
        }

        @GetMapping("/local")
        @RateLimit(rate = 0.01, capacity = 7, whenDown = WhenDown.LOCAL)
        String local() {
            return "ran";
        }

        /** A node's own bucket does not fill again within a test, so this one is for one test only. */
        @GetMapping("/local-once")
        @RateLimit(rate = 0.01, capacity = 7, whenDown = WhenDown.LOCAL)
        String localOnce() {
            return "ran";
        }

        @GetMapping("/sliced")
        @RateLimit(rate = 10_000, capacity = 10_000, slice = 50, whenDown = WhenDown.REFUSE)
        String sliced() {
            return "ran";
        }

        @PostMapping("/fail")
        @Idempotent(prefix = "test:outage:fail")
        String fail(@RequestParam String x) {
            return "ran " + UUID.randomUUID();
        }

        @PostMapping("/through")
        @Idempotent(prefix = "test:outage:through", whenDown = Idempotent.WhenDown.FALL_THROUGH)
        String through(@RequestParam String x) {
            return "ran " + UUID.randomUUID();
        }
    }

    private static Service service;
    private static Redis redis;

    @BeforeAll
    static void start(Redis given) {
        redis = given;
        service = Service.with(
                List.of(OutageController.class),
                "waybill.guard.redis.uri=" + redis.url(),
                "waybill.guard.redis.timeout=" + TIMEOUT.toMillis() + "ms");
    }

    @AfterAll
    static void stop() {
        service.close();
        try (RedisDirect direct = new RedisDirect(redis)) {
            direct.removeAll("idempotent:test:outage:*");
            direct.removeAll("ratelimit:api:OutageController.*");
        }
    }

    private static HttpReply post(String path, String key) {
        return service.post(path + "?x=1", "{}", "X-Idempotency-Key", key);
    }

    private static void awaitRecovery() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> service.get("/refuse").status() == 200
                        && post("/fail", UUID.randomUUID().toString()).status() == 200);
    }

    private static void assertDownBehaviour() {
        assertThat(service.get("/refuse").code()).isEqualTo("C0001");
        assertThat(service.get("/refuse").status()).isEqualTo(503);
        for (int i = 0; i < 8; i++) {
            assertThat(service.get("/allow").status()).isEqualTo(200);
        }
        for (int i = 0; i < 7; i++) {
            assertThat(service.get("/local-once").status()).isEqualTo(200);
        }
        assertThat(service.get("/local-once").code()).isEqualTo("A0500");
        String key = UUID.randomUUID().toString();
        assertThat(post("/fail", key).code()).isEqualTo("C0001");
        assertThat(post("/through", key).data().asString()).startsWith("ran ");
        assertThat(post("/through", key).rawData())
                .isNotEqualTo(post("/through", key).rawData());
    }

    @Test
    void whileRedisIsStoppedEveryGuardDoesWhatItWasToldAndRecoversByItself() {
        awaitRecovery();
        redis.stop();
        try {
            assertDownBehaviour();
        } finally {
            redis.start();
        }
        awaitRecovery();
        String key = UUID.randomUUID().toString();
        assertThat(post("/through", key).rawData())
                .isEqualTo(post("/through", key).rawData());
    }

    @Test
    void aPausedRedisHangsNoRequestAndALateClaimIsGivenBack() {
        awaitRecovery();
        String key = UUID.randomUUID().toString();
        redis.pause();
        long before = System.nanoTime();
        try {
            assertThat(post("/fail", key).code()).isEqualTo("C0001");
            assertThat(Duration.ofNanos(System.nanoTime() - before).toMillis()).isLessThan(LONGEST_ANSWER_MILLIS);
        } finally {
            redis.resume();
        }
        // The claim was queued in Redis's socket and granted after its caller had gone: nobody must wait for its lease.
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> post("/fail", key).status() == 200);
    }

    @Test
    void underLoadNoRequestHangsAndEveryAnswerIsOneOfTheAgreed() throws Exception {
        awaitRecovery();
        Queue<String> answers = new ConcurrentLinkedQueue<>();
        Queue<Long> millis = new ConcurrentLinkedQueue<>();
        AtomicBoolean running = new AtomicBoolean(true);
        ExecutorService callers = Executors.newFixedThreadPool(8);
        String[] paths = {"/allow", "/refuse", "/local", "/sliced", "/fail", "/through"};
        for (int i = 0; i < 8; i++) {
            String path = paths[i % paths.length];
            callers.execute(() -> {
                while (running.get()) {
                    long before = System.nanoTime();
                    HttpReply reply = path.equals("/fail") || path.equals("/through")
                            ? post(path, UUID.randomUUID().toString())
                            : service.get(path);
                    millis.add(Duration.ofNanos(System.nanoTime() - before).toMillis());
                    answers.add(path + " " + reply.status() + " " + reply.code());
                }
            });
        }
        try {
            for (Runnable fault : List.<Runnable>of(redis::stop, redis::kill)) {
                int seen = answers.size();
                Awaitility.await().until(() -> answers.size() > seen + 200);
                fault.run();
                int down = answers.size();
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> answers.size() > down + 200);
                redis.start();
                awaitRecovery();
            }
            redis.pause();
            int paused = answers.size();
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> answers.size() > paused + 30);
            redis.resume();
            awaitRecovery();
        } finally {
            running.set(false);
            callers.shutdown();
        }
        assertThat(callers.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        Map<String, Long> counted = answers.stream().collect(Collectors.groupingBy(a -> a, Collectors.counting()));
        long longest = millis.stream().mapToLong(m -> m).max().orElse(0);
        System.out.println("[RedisOutageTest] longest answer " + longest + " ms, " + counted);
        assertThat(counted.keySet())
                .isSubsetOf(
                        "/allow 200 00000",
                        "/allow 429 A0500",
                        "/refuse 200 00000",
                        "/refuse 503 C0001",
                        "/refuse 429 A0500",
                        "/local 200 00000",
                        "/local 429 A0500",
                        "/sliced 200 00000",
                        "/sliced 503 C0001",
                        "/sliced 429 A0500",
                        "/fail 200 00000",
                        "/fail 503 C0001",
                        "/through 200 00000")
                .contains("/refuse 503 C0001", "/fail 503 C0001", "/fail 200 00000", "/refuse 200 00000");
        assertThat(longest).isLessThan(LONGEST_ANSWER_MILLIS);
    }

    @Test
    void nothingInRedisStaysForEverAndNobodyAsksForAllKeys() {
        awaitRecovery();
        try (RedisDirect direct = new RedisDirect(redis)) {
            direct.commands().configResetstat();
            for (int i = 0; i < 200; i++) {
                post("/fail", UUID.randomUUID().toString());
                service.get("/refuse");
            }
            assertThat(direct.commands().info("commandstats")).doesNotContain("cmdstat_keys:");
            assertThat(direct.keys("idempotent:test:outage:*")).hasSizeGreaterThanOrEqualTo(200);
            for (String pattern : List.of("idempotent:test:outage:*", "ratelimit:api:OutageController.*")) {
                assertThat(direct.keys(pattern))
                        .allSatisfy(
                                key -> assertThat(direct.commands().pttl(key)).isNotEqualTo(-1));
            }
        }
    }
}
