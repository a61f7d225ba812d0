package dev.waybill.starter;

import org.jspecify.annotations.Nullable;

/** Waybill must not start as it is set up. Says why, and which property mends it. */
public final class StartUpException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String property;
    private final String fix;

    /**
     * A refusal.
     *
     * @param property the property to change
     * @param problem what is wrong, one sentence
     * @param fix what to do, one sentence that names the property
     */
    public StartUpException(String property, String problem, String fix, @Nullable Throwable cause) {
        super(problem + " " + fix, cause);
        this.property = property;
        this.fix = fix;
    }

    public String property() {
        return property;
    }

    public String fix() {
        return fix;
    }
}
