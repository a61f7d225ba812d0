package dev.waybill.marketplace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/** Lets only the operator through to what is {@link OperatorOnly}; HTTP Basic, compared in constant time. */
final class OperatorLogin implements HandlerInterceptor {

    private static final Logger log = LoggerFactory.getLogger(OperatorLogin.class);
    private static final int GENERATED_BYTES = 18;

    private final byte[] expected;

    OperatorLogin(OperatorSettings settings) {
        String password = settings.password().isBlank() ? generated(settings.name()) : settings.password();
        this.expected = header(settings.name(), password).getBytes(UTF_8);
    }

    private static String generated(String name) {
        byte[] random = new byte[GENERATED_BYTES];
        new SecureRandom().nextBytes(random);
        String password = Base64.getUrlEncoder().encodeToString(random);
        log.warn(
                "[Marketplace] marketplace.operator.password is not set; until the next start dead letters are open to"
                        + " user={} password={}",
                name,
                password);
        return password;
    }

    static String header(String name, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(UTF_8));
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method && method.getBeanType().isAnnotationPresent(OperatorOnly.class)) {
            @Nullable String given = request.getHeader(HttpHeaders.AUTHORIZATION);
            if (given == null || !MessageDigest.isEqual(given.getBytes(UTF_8), expected)) {
                throw new LoginRequiredException();
            }
        }
        return true;
    }
}
