package dev.waybill.servicekit.access;

import static dev.waybill.servicetestkit.ReplyAssertions.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.waybill.servicekit.KitService;
import dev.waybill.servicetestkit.BearerTokens;
import dev.waybill.servicetestkit.RunningService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers known by an issuer that publishes its keys, here a small one of the test's own. */
class IssuerTest {

    private RSAKey key;
    private HttpServer issuer;
    private RunningService service;

    @BeforeEach
    void start() throws JOSEException, IOException {
        key = new RSAKeyGenerator(2048).keyID("a").generate();
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/keys", exchange -> {
            byte[] keys = new JWKSet(key).toPublicJWKSet().toString().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, keys.length);
            exchange.getResponseBody().write(keys);
            exchange.close();
        });
        issuer.start();
        service = KitService.open(
                "spring.profiles.active=real",
                "spring.security.oauth2.resourceserver.jwt.jwk-set-uri=http://127.0.0.1:"
                        + issuer.getAddress().getPort() + "/keys");
    }

    @AfterEach
    void stop() {
        service.close();
        issuer.stop(0);
    }

    private String token(String subject, Date expires) throws JOSEException {
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .subject(subject)
                .expirationTime(expires)
                .build();
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("a").build(), claims);
        token.sign(new RSASSASigner(key));
        return token.serialize();
    }

    @Test
    void itsTokensFollowTheSameRules() throws JOSEException {
        Date later = Date.from(Instant.now().plusSeconds(3600));
        assertThat(service.with(token("7", later)).get("/who").number("userId")).isEqualTo(7);
        assertRefused(service.with(token("alice", later)).get("/who"), 401, "A0230");
        assertRefused(service.with(token("7", null)).get("/who"), 401, "A0230");
        assertRefused(service.get("/who"), 401, "A0230");
    }

    /** The public key is known to all: as the secret of HS256 it must not open anything. */
    @Test
    void itsPublicKeyIsNoSecret() throws JOSEException {
        byte[] encoded = key.toRSAPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded)
                + "\n-----END PUBLIC KEY-----\n";
        String header = "{\"alg\":\"HS256\",\"kid\":\"a\"}";
        String claims = "{\"sub\":\"7\",\"exp\":%d}".formatted(Instant.now().getEpochSecond() + 3600);
        assertRefused(service.with(new BearerTokens(pem).signed(header, claims)).get("/who"), 401, "A0230");
        assertRefused(service.with(BearerTokens.OF_TESTS.user(7)).get("/who"), 401, "A0230");
    }

    @Test
    void anIssuerThatIsAwayIsNoFaultOfTheCaller() throws JOSEException {
        issuer.stop(0);
        String token = token("7", Date.from(Instant.now().plusSeconds(3600)));
        assertRefused(service.with(token).get("/who"), 503, "C0001");
    }
}
