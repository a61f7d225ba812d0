package dev.waybill.starter.admin;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * In front of the login: counts what it refuses at the admin API's paths, and stops looking at the passwords of an address that has used up
 * its tries. The address is the connection's, not what a header says.
 */
final class FailedLoginFilter extends OncePerRequestFilter {

    /** Before Spring Security's filters, which Boot puts at -100. */
    static final int ORDER = -110;

    private static final Logger log = LoggerFactory.getLogger(FailedLoginFilter.class);

    private final CallCounter failures;

    FailedLoginFilter(CallCounter failures) {
        this.failures = failures;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String address = request.getRemoteAddr();
        OptionalLong wait = CrossSiteCheck.hasBearerToken(request) ? OptionalLong.empty() : failures.waitOf(address);
        if (wait.isPresent()) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait.getAsLong()));
            response.sendError(HttpStatus.TOO_MANY_REQUESTS.value());
            return;
        }
        chain.doFilter(request, response);
        if (response.getStatus() == HttpStatus.UNAUTHORIZED.value()
                && failures.count(address).isPresent()) {
            log.warn("[Admin] throttles failed logins address={}", address);
        }
    }
}
