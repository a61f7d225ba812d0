package dev.waybill.servicetestkit;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes the tokens that the services know their callers by: signed with HS256 and the secret that the service has as {@value
 * #SECRET_PROPERTY}. It writes what it is told, also what no service may accept.
 */
public record BearerTokens(String secret) {

    public static final String SECRET_PROPERTY = "waybill.security.jwt-secret";

    /** What services in tests are started with; see {@link ServiceSettings#onDatabase}. */
    public static final BearerTokens OF_TESTS = new BearerTokens("a secret that only the tests know and use");

    private static final String HS256 = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";

    /** A user's token, good for an hour. */
    public String user(long number) {
        return token(Long.toString(number), List.of(), Duration.ofHours(1));
    }

    /** An operator's token, good for an hour. */
    public String operator() {
        return token("operator", List.of("operator"), Duration.ofHours(1));
    }

    /** A token for this subject with these roles. */
    public String token(String subject, List<String> roles, Duration lifetime) {
        String list = roles.stream().map(role -> '"' + role + '"').collect(Collectors.joining(","));
        long now = Instant.now().getEpochSecond();
        return signed("{\"sub\":\"%s\",\"roles\":[%s],\"iat\":%d,\"exp\":%d}"
                .formatted(subject, list, now, now + lifetime.toSeconds()));
    }

    /** A token with these claims, in JSON. */
    public String signed(String claims) {
        return signed(HS256, claims);
    }

    /** A token with this header and these claims, in JSON; the signature is HS256 whatever the header says. */
    public String signed(String header, String claims) {
        String content =
                base64(header.getBytes(StandardCharsets.UTF_8)) + "." + base64(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return content + "." + base64(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }

    /** Base64 as tokens have it: for URLs, without padding. */
    public static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** For {@code ./dev token}, which runs this file as it is: subject, minutes, roles; the secret is in the environment. */
    public static void main(String[] arguments) {
        List<String> roles = List.of(arguments).subList(2, arguments.length);
        Duration lifetime = Duration.ofMinutes(Long.parseLong(arguments[1]));
        System.out.println(
                new BearerTokens(System.getenv("WAYBILL_SECURITY_JWT_SECRET")).token(arguments[0], roles, lifetime));
    }

    @Override
    public String toString() {
        return "BearerTokens";
    }
}
