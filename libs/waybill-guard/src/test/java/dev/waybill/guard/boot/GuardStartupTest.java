package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.ratelimit.RateLimit.WhenDown;
import dev.waybill.guard.running.Service;
import dev.waybill.guard.web.CallerIdentity;
import dev.waybill.redis.RedisLink;
import jakarta.servlet.http.HttpServletResponse;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

@ExtendWith(OutputCaptureExtension.class)
class GuardStartupTest {

    @RestController
    static class Streams {
        @PostMapping("/x")
        @Idempotent
        StreamingResponseBody handle() {
            return null;
        }
    }

    @RestController
    static class WrappedStreams {
        @PostMapping("/x")
        @Idempotent
        ResponseEntity<StreamingResponseBody> handle() {
            return null;
        }
    }

    @RestController
    static class Events {
        @PostMapping("/x")
        @Idempotent
        SseEmitter handle() {
            return null;
        }
    }

    @RestController
    static class Files {
        @PostMapping("/x")
        @Idempotent
        ResponseEntity<Resource> handle() {
            return null;
        }
    }

    @RestController
    static class Deferred {
        @PostMapping("/x")
        @Idempotent
        DeferredResult<String> handle() {
            return null;
        }
    }

    @RestController
    static class Writes {
        @PostMapping("/x")
        @Idempotent
        String handle(HttpServletResponse response) {
            return "";
        }
    }

    @RestController
    static class ReadsRaw {
        @PostMapping("/x")
        @Idempotent
        String handle(InputStream body) {
            return "";
        }
    }

    @RestController
    static class WaitsTooLong {
        @PostMapping("/x")
        @Idempotent(waitMillis = 60_000)
        String handle() {
            return "";
        }
    }

    @RestController
    static class NoArgument {
        @PostMapping("/x")
        @Idempotent(key = "#order.id")
        String handle(@RequestBody String body) {
            return "";
        }
    }

    @RestController
    static class BrokenExpression {
        @PostMapping("/x")
        @Idempotent(key = "#body..")
        String handle(@RequestBody String body) {
            return "";
        }
    }

    @RestController
    static class OddPrefix {
        @PostMapping("/x")
        @Idempotent(prefix = "a b*")
        String handle() {
            return "";
        }
    }

    @RestController
    static class NoRate {
        @PostMapping("/x")
        @RateLimit(rate = 0)
        String handle() {
            return "";
        }
    }

    @RestController
    static class NoCapacity {
        @PostMapping("/x")
        @RateLimit(capacity = 0)
        String handle() {
            return "";
        }
    }

    @RestController
    static class TooDear {
        @PostMapping("/x")
        @RateLimit(cost = "201")
        String handle() {
            return "";
        }
    }

    @RestController
    static class TooWide {
        @PostMapping("/x")
        @RateLimit(slice = 201)
        String handle() {
            return "";
        }
    }

    @RestController
    static class KeyWithoutPer {
        @PostMapping("/x")
        @RateLimit(key = "#body")
        String handle(@RequestBody String body) {
            return "";
        }
    }

    @RestController
    static class FinalMethod {
        @PostMapping("/x")
        @Idempotent
        public final String handle() {
            return "";
        }
    }

    @Controller
    static class Views {
        @PostMapping("/x")
        @Idempotent
        public String handle() {
            return "page";
        }
    }

    @org.springframework.stereotype.Service
    static class NoHandler {
        @Idempotent
        public String handle() {
            return "";
        }
    }

    @RestController
    static class Fine {
        @PostMapping("/x")
        @Idempotent
        @RateLimit
        String handle() {
            return "";
        }
    }

    static class Other {
        @RestController
        static class Fine {
            @PostMapping("/y")
            @RateLimit
            String handle() {
                return "";
            }
        }
    }

    @RestController
    static class PerUser {
        @PostMapping("/u")
        @RateLimit(per = RateLimit.Per.USER)
        String handle() {
            return "";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByHeader {
        @Bean
        CallerIdentity identity() {
            return request -> request.getHeader("X-User");
        }
    }

    static class Desk {
        @PostMapping("/desk")
        @RateLimit
        @Idempotent
        @ResponseBody
        public String handle() {
            return "";
        }
    }

    static class NorthDesk extends Desk {}

    static class SouthDesk extends Desk {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionOutside {}

    static List<Arguments> unguardable() {
        return List.of(
                Arguments.of(Streams.class, "StreamingResponseBody can't be stored"),
                Arguments.of(WrappedStreams.class, "StreamingResponseBody can't be stored"),
                Arguments.of(Events.class, "SseEmitter can't be stored"),
                Arguments.of(Files.class, "Resource can't be stored"),
                Arguments.of(Deferred.class, "DeferredResult can't be stored"),
                Arguments.of(Writes.class, "writes the response by itself"),
                Arguments.of(ReadsRaw.class, "declare the body as @RequestBody"),
                Arguments.of(WaitsTooLong.class, "waitMillis must be between 0 and 10000"),
                Arguments.of(NoArgument.class, "names no argument of the handler: #order"),
                Arguments.of(BrokenExpression.class, "is not an expression"),
                Arguments.of(OddPrefix.class, "prefix must be"),
                Arguments.of(NoRate.class, "rate must be between"),
                Arguments.of(NoCapacity.class, "capacity must be between"),
                Arguments.of(TooDear.class, "cost must be between 1 and the capacity"),
                Arguments.of(TooWide.class, "slice must be between 0 and the capacity"),
                Arguments.of(KeyWithoutPer.class, "key and per = EXPRESSION belong together"),
                Arguments.of(Views.class, "only handlers that answer with data"));
    }

    /** The check itself, without a service around it: it is what runs at start-up, as the tests below show. */
    @ParameterizedTest
    @MethodSource("unguardable")
    void aHandlerThatCannotBeGuardedIsRefused(Class<?> handler, String sentence) {
        Method method = Arrays.stream(handler.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals("handle"))
                .findFirst()
                .orElseThrow();
        IdempotentPlans idempotents = new IdempotentPlans(Duration.ofSeconds(30));
        RateLimitPlans limits = new RateLimitPlans(Map.of(), WhenDown.LOCAL, CallerIdentity.principal());
        assertThatThrownBy(() -> {
                    if (method.isAnnotationPresent(Idempotent.class)) {
                        idempotents.check(handler, method);
                    } else {
                        limits.of(handler, method);
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(sentence);
    }

    static List<Arguments> unreachable() {
        return List.of(
                Arguments.of(Streams.class, "StreamingResponseBody can't be stored"),
                Arguments.of(FinalMethod.class, "final, private and static methods can't be guarded"),
                Arguments.of(NoHandler.class, "it belongs on a web handler"),
                Arguments.of(TooDear.class, "cost must be between 1 and the capacity"));
    }

    @ParameterizedTest
    @MethodSource("unreachable")
    void aGuardThatWouldHaveNoEffectStopsTheStartUp(Class<?> handler, String sentence) {
        assertRefused(List.of(handler), sentence);
    }

    static List<Arguments> settings() {
        return List.of(
                Arguments.of("redis.timeout=0s", "waybill.guard.redis.timeout must be between"),
                Arguments.of("idempotent.lease=0s", "waybill.guard.idempotent.lease must be between"),
                Arguments.of("idempotent.keep=1s", "waybill.guard.idempotent.keep must be between"),
                Arguments.of("idempotent.largest-result=-1", "waybill.guard.idempotent.largest-result must not"),
                Arguments.of("in-process.max-keys=0", "waybill.guard.in-process.max-keys must be"),
                Arguments.of("in-process.max-result-bytes=-1B", "waybill.guard.in-process.max-result-bytes must not"),
                Arguments.of("ratelimit.slice-lifetime=1h", "waybill.guard.ratelimit.slice-lifetime must be"),
                Arguments.of("ratelimit.when-down=as-configured", "waybill.guard.ratelimit.when-down must be"));
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aSettingThatBreaksAPromiseIsRefusedByName(String setting, String sentence) {
        String[] pair = setting.split("=", 2);
        Binder binder = new Binder(new MapConfigurationPropertySource(Map.of("waybill.guard." + pair[0], pair[1])));
        assertThatThrownBy(() -> binder.bind("waybill.guard", GuardSettings.class))
                .satisfies(thrown -> assertThat(causes(thrown)).contains(sentence));
    }

    @Test
    void aCodeIsRenamedOnlyFromTheCatalogueAndToSomethingUnique() {
        assertThatThrownBy(() -> new CodeCatalogue(Map.of("A9999", "X")))
                .hasMessageContaining("waybill.guard.codes.A9999: no such code");
        assertThatThrownBy(() -> new CodeCatalogue(Map.of("A0400", "A0401")))
                .hasMessageContaining("two codes have the same name");
        assertThatThrownBy(() -> new CodeCatalogue(Map.of("A0400", "a b")))
                .hasMessageContaining("waybill.guard.codes.A0400: a code is");
    }

    static List<Arguments> refusedSettings() {
        return List.of(
                Arguments.of("waybill.guard.redis.uri=nonsense://x", "waybill.guard.redis.uri is no Redis address"),
                Arguments.of(
                        "waybill.guard.redis.uri=redis://:hun#ter2@host:6379",
                        "waybill.guard.redis.uri is no Redis address"),
                Arguments.of(
                        "waybill.guard.ratelimit.apis[Nobody.here].rate=1",
                        "waybill.guard.ratelimit.apis[Nobody.here]: no @RateLimit"),
                Arguments.of(
                        "waybill.guard.ratelimit.apis[Fine.handle].rate=-1",
                        "waybill.guard.ratelimit.apis[Fine.handle]"));
    }

    @ParameterizedTest
    @MethodSource("refusedSettings")
    void aSettingThatBreaksAPromiseStopsTheStartUp(String setting, String sentence) {
        assertRefused(List.of(Fine.class), sentence, setting);
    }

    @Test
    void withoutAnyProxiesTheStartUpStops() {
        assertRefused(
                List.of(Fine.class),
                "spring.aop.auto must be true",
                "spring.aop.auto=false",
                "spring.autoconfigure.exclude=org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration");
    }

    @Test
    void twoHandlersThatWouldShareABucketByAccidentStopTheStartUp() {
        assertRefused(List.of(Fine.class, Other.Fine.class), "share the bucket Fine.handle");
    }

    @Test
    void aTransactionOutsideOfTheGuardStopsTheStartUp() {
        assertRefused(
                List.of(Fine.class, TransactionOutside.class),
                "@EnableTransactionManagement(order = 0): it must be above 410",
                "spring.datasource.url=jdbc:h2:mem:order");
    }

    @Test
    void withoutRedisAtTheStartTheServiceStartsAndSaysSoOnce(CapturedOutput output) {
        try (Service service =
                Service.with(List.of(Fine.class), "waybill.guard.redis.uri=redis://:hunter2@127.0.0.1:1")) {
            for (int i = 0; i < 3; i++) {
                assertThat(service.post("/x", "", "X-Idempotency-Key", "k").code())
                        .isEqualTo("C0001");
            }
        }
        assertThat(output).containsOnlyOnce("[RedisLink] Redis does not answer yet host=127.0.0.1 port=1");
        assertThat(output).containsOnlyOnce("[Guard] store down guard=idempotent reason=NOT_CONNECTED");
        assertThat(output).doesNotContain("hunter2");
    }

    @Test
    void whereNothingTellsCallersApartTheStartUpSaysWhatTheyShare(CapturedOutput output) {
        Service.with(List.of(Fine.class, PerUser.class)).close();
        assertThat(output)
                .containsOnlyOnce("[Guard] no CallerIdentity bean and no Spring Security")
                .contains("requests [Fine.handle]")
                .contains("by address [PerUser.handle]");
    }

    @Test
    void withAnIdentityTheStartUpSaysNothingOfCallers(CapturedOutput output) {
        Service.with(List.of(Fine.class, ByHeader.class)).close();
        assertThat(output).doesNotContain("no CallerIdentity bean");
    }

    @Test
    void handlersThatInheritTheirMethodHaveABucketAndAPrefixEach() throws Exception {
        RateLimitPlans limits = new RateLimitPlans(Map.of(), WhenDown.LOCAL, CallerIdentity.principal());
        IdempotentPlans idempotents = new IdempotentPlans(Duration.ofSeconds(30));
        Method method = Desk.class.getDeclaredMethod("handle");
        assertThat(limits.of(NorthDesk.class, method).limit().name()).isEqualTo("NorthDesk.handle");
        assertThat(limits.of(SouthDesk.class, method).limit().name()).isEqualTo("SouthDesk.handle");
        assertThat(idempotents.of(NorthDesk.class, method).prefix()).isEqualTo("NorthDesk.handle");
        assertThat(idempotents.of(SouthDesk.class, method).prefix()).isEqualTo("SouthDesk.handle");
        limits.check();
    }

    @Test
    void withoutTheRedisModuleAnAddressOfRedisStopsTheStartUp() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, GuardAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(RedisLink.class))
                .withPropertyValues("waybill.guard.redis.uri=redis://127.0.0.1:1")
                .run(context -> assertThat(causes(context.getStartupFailure()))
                        .contains("dev.waybill:waybill-redis is not on the class path"));
    }

    private static void assertRefused(List<Class<?>> handlers, String sentence, String... settings) {
        assertThatThrownBy(() -> Service.with(handlers, settings).close())
                .satisfies(thrown -> assertThat(causes(thrown)).contains(sentence));
    }

    /** What the start-up says, which is never a password. */
    private static String causes(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append(cause.getMessage()).append('\n');
        }
        assertThat(text.toString()).doesNotContain("hun").doesNotContain("ter2");
        return text.toString();
    }
}
