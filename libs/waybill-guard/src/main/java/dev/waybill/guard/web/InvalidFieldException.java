package dev.waybill.guard.web;

/**
 * A field of the request breaks a rule that no annotation can say. It is answered like a broken annotation's: {@link
 * Code#BAD_INPUT} with {@code data = {field, rule}}.
 *
 * <p>Both reach the caller as they are: never put a caller's own text into them.
 */
public final class InvalidFieldException extends RefusedException {

    private static final long serialVersionUID = 1L;

    private final String field;
    private final String rule;

    /**
     * A refusal.
     *
     * @param field the field's path, such as {@code items[2].price}
     * @param rule what it has to be
     */
    public InvalidFieldException(String field, String rule) {
        super(Code.BAD_INPUT);
        this.field = field;
        this.rule = rule;
    }

    public String field() {
        return field;
    }

    public String rule() {
        return rule;
    }

    @Override
    public String getMessage() {
        return field + ": " + rule;
    }
}
