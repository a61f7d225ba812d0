package dev.waybill.servicekit.access;

import static dev.waybill.servicekit.KitService.TOKENS;
import static dev.waybill.servicetestkit.ReplyAssertions.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicekit.KitService;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RunningService;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may do what where callers are known by tokens. */
class TokensTest {

    private static RunningService service;
    private static HttpCalls asUser7;
    private static HttpCalls asUser8;
    private static HttpCalls asOperator;

    @BeforeAll
    static void start() {
        service = KitService.withTokens("spring.profiles.active=real");
        asUser7 = service.with(TOKENS.user(7));
        asUser8 = service.with(TOKENS.user(8));
        asOperator = service.with(TOKENS.operator());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void assertOk(HttpReply reply) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(200);
    }

    @Test
    void whoHasNoTokenIsAskedForOne() {
        for (HttpReply reply : List.of(service.get("/who"), service.post("/operators"), service.get("/no-such-path"))) {
            assertRefused(reply, 401, "A0230");
            assertThat(reply.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        }
    }

    @Test
    void onlyWhatIsPublicIsOpenToAll() {
        HttpReply reply = service.get("/public");
        assertOk(reply);
        assertThat(reply.data().path("unrestricted").asBoolean()).isFalse();
        assertThat(reply.data().path("userId").isNull()).isTrue();
        assertThat(service.get("/actuator/health").status()).isEqualTo(200);
        assertThat(service.get("/actuator/info").status()).isEqualTo(401);
    }

    @Test
    void figuresAreForOperators() {
        assertRefused(service.get("/actuator/prometheus"), 401, "A0230");
        assertRefused(asUser7.get("/actuator/prometheus"), 403, "A0301");
        assertRefused(asUser7.get("/actuator/info"), 403, "A0301");
        assertThat(asOperator.statusCode("/actuator/prometheus")).isEqualTo(200);
    }

    @Test
    void theCallerIsTheTokensSubject() {
        HttpReply reply = asUser7.get("/who");
        assertOk(reply);
        assertThat(reply.number("userId")).isEqualTo(7);
        assertThat(reply.data().path("roles")).isEmpty();
        assertThat(reply.headers().firstValue("Set-Cookie")).isEmpty();
        HttpReply operator = asOperator.get("/who");
        assertThat(operator.data().path("userId").isNull()).isTrue();
        assertThat(operator.data().path("roles").path(0).asString()).isEqualTo("operator");
    }

    @Test
    void pathsAreForOperatorsOrUsersAsTheServiceSays() {
        assertRefused(asUser7.post("/operators"), 403, "A0301");
        assertOk(asOperator.post("/operators"));
        assertOk(asUser7.post("/users"));
        assertRefused(asOperator.post("/users"), 403, "A0301");
        assertRefused(service.post("/users"), 401, "A0230");
    }

    @Test
    void nobodyActsForAnother() {
        assertOk(asUser7.post("/mine/7"));
        assertRefused(asUser8.post("/mine/7"), 403, "A0301");
        assertRefused(asOperator.post("/mine/7"), 403, "A0301");
        String operatorWithANumber = TOKENS.token("7", List.of("operator"), Duration.ofHours(1));
        assertRefused(service.with(operatorWithANumber).post("/mine/7"), 403, "A0301");
    }

    @Test
    void rightsAreAskedBeforeAStoredAnswerIsGiven() {
        String order = "{\"userId\":7,\"sku\":\"a\"}";
        String[] key = {"X-Idempotency-Key", "rights-before-answers"};
        HttpReply first = asUser7.post("/orders", order, key);
        assertOk(first);
        assertThat(asUser7.post("/orders", order, key).data()).isEqualTo(first.data());
        assertRefused(asUser8.post("/orders", order, key), 403, "A0301");
        assertRefused(asOperator.post("/orders", order, key), 403, "A0301");
        assertRefused(service.post("/orders", order, key), 401, "A0230");
        assertOk(asUser7.post("/orders/7/cancel", "", key));
        assertRefused(asUser8.post("/orders/7/cancel", "", key), 404, "NOT_FOUND");
    }
}
