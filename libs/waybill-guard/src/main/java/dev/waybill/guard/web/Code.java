package dev.waybill.guard.web;

/**
 * The catalogue: every code that a Waybill service answers with, and the HTTP status that usually belongs to it.
 *
 * <p>A refusal by the web layer itself keeps its more exact status (405, 413, 415, …) under the code of its family. The
 * names that callers see can be changed with {@code waybill.guard.codes.<code>=<new name>}; the messages are in {@code
 * codes*.properties}.
 */
public enum Code {
    OK("00000", 200),
    UNAUTHENTICATED("A0230", 401),
    FORBIDDEN("A0301", 403),
    BAD_INPUT("A0400", 400),
    IN_PROGRESS("A0401", 409),
    KEY_REUSED("A0402", 422),
    KEY_MISSING("A0403", 400),
    RESULT_NOT_KEPT("A0404", 409),
    RATE_LIMITED("A0500", 429),
    NOT_FOUND("NOT_FOUND", 404),
    STATE_INVALID("STATE_INVALID", 409),
    INTERNAL("B0001", 500),
    DEPENDENCY_DOWN("C0001", 503);

    private final String text;
    private final int status;

    Code(String text, int status) {
        this.text = text;
        this.status = status;
    }

    /** The code's name in the catalogue, before any renaming. */
    public String text() {
        return text;
    }

    /** The usual HTTP status. */
    public int status() {
        return status;
    }

    /** The code of the family that an HTTP status belongs to. */
    public static Code ofStatus(int status) {
        return switch (status) {
            case 401 -> UNAUTHENTICATED;
            case 403 -> FORBIDDEN;
            case 404, 410 -> NOT_FOUND;
            case 409 -> STATE_INVALID;
            case 429 -> RATE_LIMITED;
            case 502, 503, 504 -> DEPENDENCY_DOWN;
            default -> status >= 500 ? INTERNAL : status >= 400 ? BAD_INPUT : OK;
        };
    }
}
