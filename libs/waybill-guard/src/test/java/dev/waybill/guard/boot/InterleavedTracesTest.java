package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.running.CapturedLog;
import dev.waybill.guard.running.HttpReply;
import dev.waybill.guard.running.Service;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.guard.web.Answer;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

class InterleavedTracesTest {

    private static final Logger log = LoggerFactory.getLogger(InterleavedTracesTest.class);
    private static final Pattern WORK_LINE = Pattern.compile("\\[([^\\[\\]]*)] INFO .* work of (\\S+)");
    private static final int REQUESTS = 1000;

    /** What the MDC still held when a thread was done with its work. */
    private static final Queue<Map<String, String>> LEFTOVERS = new ConcurrentLinkedQueue<>();

    private static final Queue<Boolean> VIRTUAL = new ConcurrentLinkedQueue<>();

    @RestController
    static class WorkController {

        private final Executor executor;
        private final Later later;

        WorkController(@Qualifier("applicationTaskExecutor") Executor executor, Later later) {
            this.executor = executor;
            this.later = later;
        }

        @GetMapping("/sync/{id}")
        Answer<String> sync(@PathVariable String id) {
            return Answer.ok(work(id));
        }

        @GetMapping("/callable/{id}")
        Callable<Answer<String>> callable(@PathVariable String id) {
            work(id);
            return () -> Answer.ok(work(id));
        }

        @GetMapping("/future/{id}")
        CompletableFuture<Answer<String>> future(@PathVariable String id) {
            work(id);
            return CompletableFuture.supplyAsync(() -> Answer.ok(work(id)), executor);
        }

        @GetMapping("/deferred/{id}")
        DeferredResult<Answer<String>> deferred(@PathVariable String id) {
            DeferredResult<Answer<String>> result = new DeferredResult<>();
            executor.execute(() -> result.setResult(Answer.ok(work(id))));
            return result;
        }

        @GetMapping("/async/{id}")
        CompletableFuture<Answer<String>> async(@PathVariable String id) {
            return later.run(id);
        }
    }

    @Component
    static class Later {
        @Async
        public CompletableFuture<Answer<String>> run(String id) {
            return CompletableFuture.completedFuture(Answer.ok(work(id)));
        }
    }

    /** Two lines with a moment in between, so that others get their turn, and a leftover that a careless handler forgets. */
    static String work(String id) {
        log.info("first work of {}", id);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        VIRTUAL.add(isVirtual());
        MDC.put("forgotten", id);
        log.info("second work of {}", id);
        return id;
    }

    static boolean isVirtual() {
        return Thread.currentThread().toString().startsWith("VirtualThread");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Watch {

        /** Outermost of all: sees what request threads carry when everything of the service is done. */
        @Bean
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> watchRequestThreads() {
            return factory -> factory.addEngineValves(new ValveBase(true) {
                @Override
                public void invoke(Request request, Response response) throws IOException, ServletException {
                    getNext().invoke(request, response);
                    LEFTOVERS.add(mdc());
                }
            });
        }

        @Bean
        @Order(Ordered.LOWEST_PRECEDENCE)
        TaskDecorator watchTaskThreads() {
            return task -> () -> {
                task.run();
                LEFTOVERS.add(mdc());
            };
        }
    }

    static Map<String, String> mdc() {
        Map<String, String> map = MDC.getCopyOfContextMap();
        return map == null ? Map.of() : map;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aThousandInterleavedRequestsNeverLogEachOthersTraceId(boolean virtualThreads) {
        LEFTOVERS.clear();
        VIRTUAL.clear();
        try (Service service = Service.with(
                        List.of(WorkController.class, Later.class, Watch.class),
                        "spring.threads.virtual.enabled=" + virtualThreads,
                        "server.tomcat.threads.max=16",
                        "spring.task.execution.pool.core-size=8");
                CapturedLog log = new CapturedLog(service)) {
            List<CompletableFuture<HttpReply>> replies = new ArrayList<>();
            String[] kinds = {"sync", "callable", "future", "deferred", "async"};
            for (int i = 0; i < REQUESTS; i++) {
                String id = "trace-" + virtualThreads + "-" + i;
                replies.add(service.getLater("/" + kinds[i % kinds.length] + "/" + id, "X-Trace-Id", id));
            }
            for (int i = 0; i < REQUESTS; i++) {
                HttpReply reply = replies.get(i).join();
                String id = "trace-" + virtualThreads + "-" + i;
                assertThat(reply.data().asString()).isEqualTo(id);
                assertThat(reply.traceId()).isEqualTo(id).isEqualTo(reply.header("X-Trace-Id"));
            }
            assertEveryLineIsUnderItsOwnTrace(log.lines());
        }
        assertThat(LEFTOVERS)
                .hasSizeGreaterThanOrEqualTo(REQUESTS)
                .allSatisfy(left -> assertThat(left).isEmpty());
        boolean real = virtualThreads && Runtime.version().feature() >= 21;
        assertThat(VIRTUAL).allSatisfy(isVirtual -> assertThat(isVirtual).isEqualTo(real));
    }

    private static void assertEveryLineIsUnderItsOwnTrace(List<String> lines) {
        int seen = 0;
        for (String line : lines) {
            Matcher work = WORK_LINE.matcher(line);
            if (work.find()) {
                assertThat(work.group(1)).as(line).isEqualTo(work.group(2));
                seen++;
            }
        }
        // callable and future work twice: 2 + 4 + 4 + 2 + 2 lines for five requests.
        assertThat(seen).isEqualTo(REQUESTS / 5 * 14);
    }

    @Test
    void workThatIsPassedOnWithoutWrappingLogsNoIdAtAll() {
        TraceIdGenerator ids = TraceIdGenerator.seeded(1);
        try (TraceContext.Scope ignored = TraceContext.open(ids.trace("mine", null))) {
            assertThat(CompletableFuture.supplyAsync(TraceContext::traceId).join())
                    .isEmpty();
            assertThat(ignored).isNotNull();
        }
    }
}
