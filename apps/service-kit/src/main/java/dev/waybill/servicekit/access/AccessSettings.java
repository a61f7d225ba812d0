package dev.waybill.servicekit.access;

import dev.waybill.starter.StartUpException;
import java.nio.charset.StandardCharsets;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How callers are known.
 *
 * @param jwtSecret The secret that signs tokens with HS256, at least 32 bytes; or name an issuer with spring.security.oauth2.resourceserver.jwt.issuer-uri.
 */
@ConfigurationProperties(AccessSettings.PREFIX)
record AccessSettings(@Nullable String jwtSecret) {

    static final String PREFIX = "waybill.security";
    static final String SECRET_PROPERTY = PREFIX + ".jwt-secret";
    private static final int SECRET_BYTES = 32;

    AccessSettings {
        jwtSecret = jwtSecret == null || jwtSecret.isBlank() ? null : jwtSecret.strip();
    }

    /** The key of HS256, which may not be shorter than its hash. */
    SecretKey key() {
        byte[] bytes = jwtSecret == null ? new byte[0] : jwtSecret.getBytes(StandardCharsets.UTF_8);
        if (bytes.length < SECRET_BYTES) {
            throw new StartUpException(
                    SECRET_PROPERTY,
                    SECRET_PROPERTY + " is " + bytes.length + " bytes long, and HS256 needs " + SECRET_BYTES + ".",
                    "Set " + SECRET_PROPERTY + " to at least " + SECRET_BYTES + " random bytes.",
                    null);
        }
        return new SecretKeySpec(bytes, "HmacSHA256");
    }

    @Override
    public String toString() {
        return "AccessSettings[jwtSecret=" + (jwtSecret == null ? "none" : "given") + "]";
    }
}
