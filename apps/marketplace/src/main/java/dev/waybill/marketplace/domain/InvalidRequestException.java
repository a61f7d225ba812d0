package dev.waybill.marketplace.domain;

/** A request that breaks a rule; nothing was written. */
public final class InvalidRequestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String field;
    private final String rule;

    public InvalidRequestException(String field, String rule) {
        super(field + ": " + rule);
        this.field = field;
        this.rule = rule;
    }

    /** Which field. */
    public String field() {
        return field;
    }

    /** What it has to be. */
    public String rule() {
        return rule;
    }
}
