package dev.waybill.servicekit.access;

import dev.waybill.starter.StartUpException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;

/** How this service knows its callers; nothing starts between these three. */
enum AccessMode {
    SHARED_SECRET,
    ISSUER,
    OPEN;

    private static final String JWT = "spring.security.oauth2.resourceserver.jwt.";
    private static final String ISSUER_PROPERTY = JWT + "issuer-uri";
    private static final String KEYS_PROPERTY = JWT + "jwk-set-uri";

    /** Refuses what would leave a service open to others, and names the property to set. */
    static AccessMode of(Environment environment) {
        boolean secret = hasSecret(environment);
        boolean issuer = hasIssuer(environment);
        if (secret && issuer) {
            throw new StartUpException(
                    AccessSettings.SECRET_PROPERTY,
                    "Both " + AccessSettings.SECRET_PROPERTY + " and an issuer are given, and a token has one signer.",
                    "Remove " + AccessSettings.SECRET_PROPERTY + ", or " + ISSUER_PROPERTY + " and " + KEYS_PROPERTY
                            + ".",
                    null);
        }
        if (secret || issuer) {
            return secret ? SHARED_SECRET : ISSUER;
        }
        if (environment.acceptsProfiles(Profiles.of("real"))) {
            throw new StartUpException(
                    AccessSettings.SECRET_PROPERTY,
                    "Profile real has no way to know its callers.",
                    "Set " + AccessSettings.SECRET_PROPERTY + " (at least 32 bytes) or " + ISSUER_PROPERTY + ".",
                    null);
        }
        requireLoopback(environment, "server.address");
        if (isSet(environment, "management.server.port")) {
            requireLoopback(environment, "management.server.address");
        }
        return OPEN;
    }

    /** Whether callers need tokens. */
    static boolean knowsCallers(Environment environment) {
        return hasSecret(environment) || hasIssuer(environment);
    }

    private static boolean hasSecret(Environment environment) {
        return isSet(environment, AccessSettings.SECRET_PROPERTY);
    }

    private static boolean hasIssuer(Environment environment) {
        return isSet(environment, ISSUER_PROPERTY) || isSet(environment, KEYS_PROPERTY);
    }

    private static void requireLoopback(Environment environment, String property) {
        InetAddress address =
                Binder.get(environment).bind(property, InetAddress.class).orElse(null);
        if (address == null || !address.isLoopbackAddress()) {
            throw new StartUpException(
                    property,
                    "The service is open to everybody, and " + property + " is "
                            + (address == null ? "not set" : address.getHostAddress()) + ", which others can reach.",
                    "Set " + property + "=127.0.0.1, or " + AccessSettings.SECRET_PROPERTY + " (at least 32 bytes) or "
                            + ISSUER_PROPERTY + ".",
                    null);
        }
    }

    private static boolean isSet(Environment environment, String property) {
        @Nullable String value = environment.getProperty(property);
        return value != null && !value.isBlank();
    }
}
