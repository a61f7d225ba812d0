package dev.waybill.marketplace.api;

/** The request came without the operator's login, or with a wrong one. */
final class LoginRequiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    LoginRequiredException() {
        super("login required", null, false, false);
    }
}
