package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.HttpReply;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Every call of the admin API by those who may not make it, from other sites' pages, and with hostile filters. */
class AdminAccessTest {

    private static AdminShop shop;

    @BeforeAll
    static void start() {
        shop = new AdminShop("waybill.admin.failures-per-minute=1000000", "waybill.admin.calls-per-minute=1000000");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    /** A method of the API, with ids in its path that nothing has. */
    record Call(String method, String path) {

        boolean changes() {
            return !method.equals("GET");
        }

        HttpReply by(HttpCalls caller, String... headers) {
            var request = caller.request(path).header("Content-Type", "application/json");
            for (int i = 0; i < headers.length; i += 2) {
                request.setHeader(headers[i], headers[i + 1]);
            }
            return caller.send(
                    request.method(method, changes() ? BodyPublishers.ofString("{}") : BodyPublishers.noBody()));
        }
    }

    /** Asked of Spring MVC, so that none is forgotten. */
    static List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        shop.service()
                .bean(RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((mapping, handler) -> {
                    for (String path : mapping.getPatternValues()) {
                        if (path.startsWith(AdminShop.API)) {
                            for (RequestMethod method :
                                    methods(mapping.getMethodsCondition().getMethods())) {
                                calls.add(new Call(method.name(), path.replaceAll("\\{[^}]*}", "424242")));
                            }
                        }
                    }
                });
        assertThat(calls).isNotEmpty();
        return calls;
    }

    private static Set<RequestMethod> methods(Set<RequestMethod> given) {
        assertThat(given).as("a method of the API names its HTTP method").isNotEmpty();
        return given;
    }

    static Stream<Call> changes() {
        return calls().stream().filter(Call::changes);
    }

    private static void assertRefused(HttpReply reply, int status, String error) {
        assertThat(reply.status()).as(reply.body().toString()).isEqualTo(status);
        assertThat(reply.text("error")).isEqualTo(error);
        assertThat(reply.body().path("code").asString()).isNotEqualTo("00000");
    }

    @ParameterizedTest
    @MethodSource("calls")
    void nobodyIsRefused(Call call) {
        assertRefused(call.by(shop.nobody(), CrossSiteCheck.OWN_HEADER, "1"), 401, "unauthenticated");
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aLoginWithoutARoleIsRefused(Call call) {
        assertRefused(call.by(shop.stranger()), 403, "forbidden");
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aViewerLooksAndChangesNothing(Call call) {
        if (call.path().endsWith(".yaml")) {
            assertThat(shop.viewer().statusCode(call.path())).isEqualTo(200);
            return;
        }
        HttpReply reply = call.by(shop.viewer());
        if (call.changes()) {
            assertRefused(reply, 403, "forbidden");
        } else {
            assertThat(reply.status()).isIn(200, 404, 400);
            assertThat(reply.text("error")).isNotEqualTo("forbidden");
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aPageOfAnotherSiteIsRefused(Call call) {
        assertRefused(call.by(shop.operator(), "Sec-Fetch-Site", "cross-site"), 403, "cross_site");
        assertRefused(call.by(shop.operator(), "Sec-Fetch-Site", "same-site"), 403, "cross_site");
        assertRefused(call.by(shop.operator(), "Origin", "https://evil.example"), 403, "cross_site");
        assertRefused(call.by(shop.operator(), "Origin", "null"), 403, "cross_site");
    }

    /** What a form of another site can send, in a browser so old that it tells nothing. */
    @ParameterizedTest
    @MethodSource("changes")
    void aFormIsRefused(Call call) {
        HttpCalls form = () -> shop.nobody().port();
        HttpReply reply = form.send(form.request(call.path())
                .header("Authorization", "Basic b2xnYTpzZWNyZXQ=")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .method(call.method(), BodyPublishers.ofString("reason=mine")));
        assertThat(reply.status()).isBetween(400, 499);
        assertThat(form.send(form.request(call.path())
                                .header("Authorization", "Basic b2xnYTpzZWNyZXQ=")
                                .header("Content-Type", "application/json")
                                .method(call.method(), BodyPublishers.ofString("{\"reason\":\"mine\"}")))
                        .text("error"))
                .isEqualTo("header_missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sorce=x",
                "state=OPEN' OR '1'='1",
                "from=yesterday",
                "after=-1 UNION SELECT 1",
                "limit=0",
                "limit=201",
                "limit=2147483648",
                "source=a&source=b",
                "to=9999999999999999999999"
            })
    void aHostileFilterIsRefused(String query) {
        HttpReply reply = shop.operator().get(AdminShop.API + "/dead-letters?" + encoded(query));
        assertRefused(reply, 400, "bad_input");
        assertThat(reply.body().toString()).doesNotContain("UNION", "OR '1'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "' OR '1'='1",
                "%",
                "_",
                "!",
                "\\",
                "\u0000",
                "'; DROP TABLE waybill_dead_letter; --",
                "😀",
                "\uFFFE"
            })
    void aHostileTextFindsNothing(String text) {
        shop.letter("{}", "an ordinary error");
        for (String name : List.of("source", "group", "eventType", "error")) {
            HttpReply reply = shop.operator().get(AdminShop.API + "/dead-letters?" + encoded(name + "=" + text));
            if (reply.status() == 200) {
                assertThat(reply.data().path("items")).as(name).isEmpty();
            } else {
                assertRefused(reply, 400, "bad_input");
            }
        }
    }

    @Test
    void aHostilePayloadIsShownAsText() {
        String evil = "</script><script>alert(1)</script>\u202e";
        long id = shop.letter(evil, evil);
        HttpReply reply = shop.viewer().get(AdminShop.API + "/dead-letters/" + id);
        assertThat(reply.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        assertThat(reply.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(reply.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
        assertThat(reply.data().path("body").path("encoding").asString()).isEqualTo("TEXT");
        assertThat(reply.data().path("body").path("content").asString()).isEqualTo(evil);
        long binary = shop.letter(AdminShop.QUEUE, new byte[] {(byte) 0xff, 0, 7}, "binary");
        assertThat(shop.viewer()
                        .get(AdminShop.API + "/dead-letters/" + binary)
                        .data()
                        .path("body")
                        .path("content")
                        .asString())
                .isEqualTo("/wAH");
    }

    @Test
    void lettersAreListedPageByPage() {
        for (int i = 0; i < 3; i++) {
            shop.letter("SOURCE-" + 7, new byte[0], "paged");
        }
        String path = AdminShop.API + "/dead-letters?source=SOURCE-7&limit=2";
        HttpReply first = shop.viewer().get(path);
        assertThat(first.data().path("items")).hasSize(2);
        HttpReply second = shop.viewer().get(path + "&after=" + first.text("next"));
        assertThat(second.data().path("items")).hasSize(1);
        assertThat(second.data().path("next").isNull()).isTrue();
    }

    @Test
    void whoGuessesPasswordsOrCallsTooOftenWaits() {
        try (AdminShop throttled =
                new AdminShop("waybill.admin.failures-per-minute=3", "waybill.admin.calls-per-minute=5")) {
            String path = AdminShop.API + "/dead-letters";
            for (int i = 0; i < 5; i++) {
                assertThat(throttled.viewer().get(path).status()).isEqualTo(200);
            }
            assertRefused(throttled.viewer().get(path), 429, "too_many_calls");
            assertThat(throttled.operator().get(path).status()).isEqualTo(200);
            for (int i = 0; i < 3; i++) {
                assertThat(throttled.as("olga", "guess" + i).statusCode(path)).isEqualTo(401);
            }
            assertThat(throttled.operator().statusCode(path))
                    .as("the right password is not looked at")
                    .isEqualTo(429);
            assertThat(throttled.viewer().statusCode("/elsewhere"))
                    .as("nobody guessed that name")
                    .isEqualTo(404);
        }
    }

    @Test
    void whoGuessesTheSamePasswordsAtAnotherPathWaitsToo() {
        try (AdminShop throttled =
                new AdminShop("waybill.admin.failures-per-minute=3", "spring.mvc.servlet.path=/web")) {
            for (int i = 0; i < 3; i++) {
                assertThat(throttled.as(i == 1 ? "OLGA" : "olga", "guess" + i).statusCode("/web/elsewhere"))
                        .isEqualTo(401);
            }
            assertThat(throttled.operator().statusCode("/web/elsewhere")).isEqualTo(429);
            assertThat(throttled.viewer().statusCode("/web/elsewhere")).isEqualTo(404);
            String path = "/web" + AdminShop.API + "/dead-letters";
            for (int i = 0; i < 3; i++) {
                assertThat(throttled.viewer().statusCode(path)).isEqualTo(200);
                assertThat(throttled.as("guess" + i, "secret").statusCode(path)).isEqualTo(401);
            }
            assertThat(throttled.viewer().statusCode(path))
                    .as("one of these names may be the right one")
                    .isEqualTo(429);
        }
    }

    private static String encoded(String query) {
        return Stream.of(query.split("&(?=[a-z]+=)", -1))
                .map(part -> part.substring(0, part.indexOf('=') + 1)
                        + URLEncoder.encode(
                                Objects.requireNonNull(part).substring(part.indexOf('=') + 1), StandardCharsets.UTF_8))
                .reduce((one, two) -> one + "&" + two)
                .orElseThrow();
    }
}
