package dev.waybill.starter.admin;

import org.springframework.http.HttpStatus;

/** Why a call is refused. Callers see the name in lower case as {@code error}. */
enum AdminError {
    UNAUTHENTICATED(HttpStatus.UNAUTHORIZED, "a login is needed"),
    FORBIDDEN(HttpStatus.FORBIDDEN, "this needs another role"),
    CROSS_SITE(HttpStatus.FORBIDDEN, "requests of other sites' pages are refused"),
    HEADER_MISSING(
            HttpStatus.FORBIDDEN,
            "a change needs a bearer token, or the header " + CrossSiteCheck.OWN_HEADER + " with any value"),
    TOO_MANY_CALLS(HttpStatus.TOO_MANY_REQUESTS, "too many calls in this minute"),
    BAD_INPUT(HttpStatus.BAD_REQUEST, "the request cannot be read"),
    NOT_FOUND(HttpStatus.NOT_FOUND, "there is no such thing"),
    NOT_HERE(HttpStatus.NOT_FOUND, "this process has no such part"),
    STATE_INVALID(HttpStatus.CONFLICT, "its state does not allow that"),
    BROKER_AWAY(HttpStatus.SERVICE_UNAVAILABLE, "the broker cannot be reached"),
    DATABASE_AWAY(HttpStatus.SERVICE_UNAVAILABLE, "the database cannot be reached"),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR, "it failed; the log says why");

    private final HttpStatus status;
    private final String message;

    AdminError(HttpStatus status, String message) {
        this.status = status;
        this.message = message;
    }

    HttpStatus status() {
        return status;
    }

    String message() {
        return message;
    }
}
