package dev.waybill.servicekit.access;

import static dev.waybill.servicekit.KitService.TOKENS;
import static dev.waybill.servicetestkit.ReplyAssertions.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servicekit.KitService;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RawHttp;
import dev.waybill.servicetestkit.RunningService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Tokens that nobody may be let in with. */
@ExtendWith(OutputCaptureExtension.class)
class HostileTokensTest {

    private static RunningService service;

    @BeforeAll
    static void start() {
        service = KitService.withTokens("logging.level.dev.waybill.servicekit=debug");
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static String claims(String rest) {
        return "{\"exp\":%d%s}".formatted(inSeconds(3600), rest.isEmpty() ? "" : "," + rest);
    }

    private static long inSeconds(int seconds) {
        return Instant.now().getEpochSecond() + seconds;
    }

    private static Map<String, String> hostile() throws NoSuchAlgorithmException {
        String good = TOKENS.user(7);
        String content = good.substring(0, good.lastIndexOf('.'));
        byte[] publicKey = KeyPairGenerator.getInstance("RSA")
                .generateKeyPair()
                .getPublic()
                .getEncoded();
        Map<String, String> tokens = new TreeMap<>();
        tokens.put("alg none", TOKENS.signed("{\"alg\":\"none\"}", claims("\"sub\":\"7\"")));
        tokens.put(
                "alg none without a signature",
                BearerTokens.base64(bytes("{\"alg\":\"none\"}")) + "."
                        + BearerTokens.base64(bytes(claims("\"sub\":\"7\""))) + ".");
        tokens.put("alg NonE", TOKENS.signed("{\"alg\":\"NonE\"}", claims("\"sub\":\"7\"")));
        tokens.put("alg RS256, signed with the secret", TOKENS.signed("{\"alg\":\"RS256\"}", claims("\"sub\":\"7\"")));
        tokens.put("alg HS512, signed with HS256", TOKENS.signed("{\"alg\":\"HS512\"}", claims("\"sub\":\"7\"")));
        tokens.put("a public key as secret", new BearerTokens(BearerTokens.base64(publicKey)).user(7));
        tokens.put(
                "a key in the header",
                TOKENS.signed(
                        "{\"alg\":\"HS256\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AAAA\"}}".replace("HS256", "HS384"),
                        claims("\"sub\":\"7\"")));
        tokens.put(
                "unknown critical header",
                TOKENS.signed("{\"alg\":\"HS256\",\"crit\":[\"x\"],\"x\":1}", claims("\"sub\":\"7\"")));
        tokens.put("no signature", content + ".");
        String forged = new BearerTokens("x".repeat(32)).user(7);
        tokens.put("another's signature", content + forged.substring(forged.lastIndexOf('.')));
        tokens.put("no dots", "abc");
        tokens.put("expired", TOKENS.signed("{\"sub\":\"7\",\"exp\":%d}".formatted(inSeconds(-120))));
        tokens.put("not yet", TOKENS.signed(claims("\"sub\":\"7\",\"nbf\":%d".formatted(inSeconds(3600)))));
        tokens.put("no exp", TOKENS.signed("{\"sub\":\"7\"}"));
        tokens.put("exp as text", TOKENS.signed("{\"sub\":\"7\",\"exp\":\"tomorrow\"}"));
        tokens.put("no sub", TOKENS.signed(claims("")));
        tokens.put("no claims", TOKENS.signed("{}"));
        tokens.put("claims are no JSON", TOKENS.signed("7"));
        for (String sub : List.of("alice", "", "-7", "+7", "07", "0", " 7", "7 ", "7e3", "9".repeat(19), "٧", "7\\n")) {
            tokens.put("sub " + sub, TOKENS.signed(claims("\"sub\":\"" + sub + "\"")));
        }
        tokens.put("sub is a number", TOKENS.signed(claims("\"sub\":[7]")));
        tokens.put("roles is a text", TOKENS.signed(claims("\"sub\":\"7\",\"roles\":\"operator\"")));
        tokens.put("roles is a map", TOKENS.signed(claims("\"sub\":\"7\",\"roles\":{\"operator\":true}")));
        tokens.put("roles holds no texts", TOKENS.signed(claims("\"sub\":\"7\",\"roles\":[[\"operator\"]]")));
        tokens.put("an operator without sub", TOKENS.signed(claims("\"roles\":[\"operator\"]")));
        return tokens;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void noneIsLetInAndNoneLearnsWhy(CapturedOutput log) throws NoSuchAlgorithmException {
        hostile().forEach((what, token) -> {
            HttpReply reply = service.with(token).get("/who");
            assertThat(reply.status()).as(what).isIn(401, 429);
            assertThat(reply.code()).as(what).isIn("A0230", "A0500");
            assertThat(reply.headers().map().toString()).as(what).doesNotContain("description", "jwt", "Jwt");
        });
        assertThat(log.getAll()).doesNotContain(TOKENS.secret());
        hostile().values().stream()
                .filter(token -> token.length() > 40)
                .forEach(token -> assertThat(log.getAll()).doesNotContain(token));
    }

    @Test
    void anOperatorMayHaveAnyName() {
        assertThat(service.with(TOKENS.signed(claims("\"sub\":\"alice\",\"roles\":[\"operator\"]")))
                        .get("/who")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aRoleThatOnlyLooksLikeOneIsNone() {
        for (String role : List.of("OPERATOR", "operator ", "ROLE_operator", "scope:operator")) {
            String token = TOKENS.token("7", List.of(role), Duration.ofHours(1));
            assertRefused(service.with(token).post("/operators"), 403, "A0301");
        }
    }

    @Test
    void aTokenElsewhereThanInTheHeaderIsNoToken() throws IOException {
        String token = TOKENS.user(7);
        assertThat(service.get("/who?access_token=" + token).status()).isIn(401, 429);
        assertThat(service.send(service.request("/who").header("Cookie", "access_token=" + token))
                        .status())
                .isEqualTo(401);
        assertThat(service.send(service.request("/who").header("Authorization", "Basic " + token))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void ofTwoTokensTheFirstCountsAndAHugeOneIsRefused() throws IOException {
        String user = TOKENS.user(7);
        String operator = TOKENS.operator();
        try (RawHttp http = new RawHttp(service.port())) {
            RawHttp.RawReply two = http.exchange("GET /who HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + user
                    + "\r\nAuthorization: Bearer " + operator + "\r\n\r\n");
            assertThat(two.text()).as("the first counts").contains("\"userId\":7", "\"roles\":[]");
        }
        try (RawHttp http = new RawHttp(service.port())) {
            RawHttp.RawReply huge = http.exchange("GET /who HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                    + "a".repeat(1_000_000) + "\r\n\r\n");
            assertThat(huge.status()).isEqualTo(400);
        }
        String large = TOKENS.signed(claims("\"sub\":\"7\",\"roles\":[\"" + "a".repeat(4000) + "\"]"));
        assertThat(service.with(large).get("/who").status()).isEqualTo(200);
    }
}
