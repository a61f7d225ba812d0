package dev.waybill.servicekit.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;

/**
 * Says no: 401 without a token or with a wrong one, 429 after too many wrong ones, 503 when the issuer cannot be asked, 403
 * without the right. The container then makes the body, in the shape of every answer.
 *
 * <p>Why a token is wrong is for the log, at DEBUG: a caller who guesses must not be told how near they are.
 */
final class Refusals implements AuthenticationEntryPoint, AccessDeniedHandler {

    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    private final WrongTokens wrongTokens;

    Refusals(WrongTokens wrongTokens) {
        this.wrongTokens = wrongTokens;
    }

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException failed)
            throws IOException {
        if (failed instanceof AuthenticationServiceException) {
            log.warn("[Access] issuer unavailable error={}", failed.getClass().getName());
            log.debug("[Access] issuer unavailable", failed);
            response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
        } else if (failed instanceof OAuth2AuthenticationException) {
            log.debug("[Access] wrong token", failed);
            wrongToken(request, response);
        } else {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            response.sendError(HttpStatus.UNAUTHORIZED.value());
        }
    }

    private void wrongToken(HttpServletRequest request, HttpServletResponse response) throws IOException {
        OptionalLong wait = wrongTokens.count(request.getRemoteAddr());
        if (wait.isPresent()) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(wait.getAsLong()));
            response.sendError(HttpStatus.TOO_MANY_REQUESTS.value());
        } else {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"");
            response.sendError(HttpStatus.UNAUTHORIZED.value());
        }
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied)
            throws IOException {
        response.sendError(HttpStatus.FORBIDDEN.value());
    }
}
