package dev.waybill.servicekit.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Protects an open service from web pages in the browsers of its own machine: a page of another site may neither send
 * requests (its {@code Sec-Fetch-Site} and {@code Origin} tell) nor read answers under a name of its own that it lets point
 * here ({@code Host} tells: DNS rebinding). Programs send none of these and pass.
 */
final class SameOriginFilter extends OncePerRequestFilter {

    private static final Logger log = LoggerFactory.getLogger(SameOriginFilter.class);

    private static final String FETCH_SITE = "Sec-Fetch-Site";
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
    private static final Pattern LOOPBACK_HOST = Pattern.compile(
            "(localhost|127(\\.(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])){3}|\\[::1])(:[0-9]{1,5})?",
            Pattern.CASE_INSENSITIVE);

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String refused = reasonToRefuse(request);
        if (refused == null) {
            chain.doFilter(request, response);
        } else {
            log.debug("[Access] refused a web page's request header={}", refused);
            response.sendError(HttpStatus.FORBIDDEN.value());
        }
    }

    private static @Nullable String reasonToRefuse(HttpServletRequest request) {
        String host = request.getHeader(HttpHeaders.HOST);
        if (host != null && !LOOPBACK_HOST.matcher(host).matches()) {
            return HttpHeaders.HOST;
        }
        String site = request.getHeader(FETCH_SITE);
        if (site != null && !OWN_SITES.contains(site)) {
            return FETCH_SITE;
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin == null || origin.equalsIgnoreCase(request.getScheme() + "://" + host)
                ? null
                : HttpHeaders.ORIGIN;
    }
}
