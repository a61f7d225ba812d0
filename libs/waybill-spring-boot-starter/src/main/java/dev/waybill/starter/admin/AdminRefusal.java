package dev.waybill.starter.admin;

import org.springframework.http.HttpHeaders;

/** A call is refused. Its message reaches the caller. */
final class AdminRefusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final AdminError error;
    private final String sentence;

    @SuppressWarnings("serial") // HttpHeaders is serialisable
    private final HttpHeaders headers = new HttpHeaders();

    AdminRefusal(AdminError error) {
        this(error, error.message());
    }

    AdminRefusal(AdminError error, String message) {
        super(message);
        this.error = error;
        this.sentence = message;
    }

    /** A parameter or field of the request cannot be used. */
    static AdminRefusal badInput(String name, String rule) {
        return new AdminRefusal(AdminError.BAD_INPUT, name + " " + rule);
    }

    AdminRefusal retryAfter(long seconds) {
        headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        return this;
    }

    AdminError error() {
        return error;
    }

    String sentence() {
        return sentence;
    }

    HttpHeaders headers() {
        return headers;
    }
}
