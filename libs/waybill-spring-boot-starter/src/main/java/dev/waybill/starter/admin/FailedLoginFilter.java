package dev.waybill.starter.admin;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * In front of the login: counts what it refuses, and stops looking at passwords where the tries are used up. At the admin API's paths an
 * address has so many; at every path, where the same password could be guessed, a name of Basic together with its address: another
 * person behind the same address goes on. The address is the connection's, not what a header says.
 */
final class FailedLoginFilter extends OncePerRequestFilter {

    /** Before Spring Security's filters, which Boot puts at -100. */
    static final int ORDER = -110;

    private static final Logger log = LoggerFactory.getLogger(FailedLoginFilter.class);

    private static final String BASIC = "Basic ";

    /** What is longer is no name, and is not kept. */
    private static final int LONGEST_NAME = 128;

    private final CallCounter failures;

    FailedLoginFilter(CallCounter failures) {
        this.failures = failures;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        List<String> keys = keys(request);
        OptionalLong wait = keys.stream()
                .map(failures::waitOf)
                .flatMapToLong(OptionalLong::stream)
                .max();
        if (wait.isPresent()) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait.getAsLong()));
            response.sendError(HttpStatus.TOO_MANY_REQUESTS.value());
            return;
        }
        chain.doFilter(request, response);
        if (response.getStatus() == HttpStatus.UNAUTHORIZED.value()) {
            boolean usedUp = false;
            for (String key : keys) {
                usedUp |= failures.count(key).isPresent();
            }
            if (usedUp) {
                log.warn("[Admin] throttles failed logins address={}", request.getRemoteAddr());
            }
        }
    }

    private static List<String> keys(HttpServletRequest request) {
        List<String> keys = new ArrayList<>();
        String address = request.getRemoteAddr();
        if (isOfAdminApi(request) && !CrossSiteCheck.hasBearerToken(request)) {
            keys.add(address);
        }
        String name = basicName(request);
        if (name != null) {
            keys.add(address + " " + name);
        }
        return keys;
    }

    /** The servlet may have a path of its own before the API's. */
    private static boolean isOfAdminApi(HttpServletRequest request) {
        String path = request.getPathInfo() == null ? request.getServletPath() : request.getPathInfo();
        return path.startsWith(AdminApi.PATH);
    }

    /** In lower case, as users may be found in any. */
    private static @Nullable String basicName(HttpServletRequest request) {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        if (authorization == null || !authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return null;
        }
        try {
            byte[] pair = Base64.getDecoder()
                    .decode(authorization.substring(BASIC.length()).strip());
            String text = new String(pair, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
            int colon = text.indexOf(':');
            return colon < 0 ? null : text.substring(0, Math.min(colon, LONGEST_NAME));
        } catch (IllegalArgumentException noBase64) {
            return null; // Spring Security refuses it
        }
    }
}
