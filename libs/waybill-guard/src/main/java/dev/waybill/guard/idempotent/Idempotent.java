package dev.waybill.guard.idempotent;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a web handler run once per idempotency key. A repeat during the run gets {@code A0401}; a repeat after success gets
 * the stored answer under its own trace id: the handler's own code, message, data and status. The same key with another
 * request, or from another caller, gets {@code A0402}.
 *
 * <p>The result is stored after the handler's transaction has committed, and only a 2xx one, whatever its code. A run that
 * fails frees the key. A process that dies keeps the key for the lease, no longer. What remains: if the process dies, or the store stays
 * away, between commit and storing, a repeat runs again, so a unique key in the database belongs behind anything that must
 * not happen twice.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /** First part of the stored key, {@code idempotent:{prefix}:{key}}; {@code Class.method} when empty. */
    String prefix() default "";

    /**
     * Where the key comes from: an expression over the arguments such as {@code #request.clientRequestId}, or, when empty,
     * the header {@code X-Idempotency-Key} or {@code Idempotency-Key}.
     */
    String key() default "";

    /** With an expression: a header, where there is one, comes first. */
    boolean headerFirst() default false;

    /**
     * What counts in a request: an expression over the arguments, such as {@code #request} or {@code #request.meaning()}.
     * Two requests under one key are the same when method, path, caller and the JSON of this value are: fields in any
     * order, {@code 1} and {@code 1.0}, left out or null. Lists count in their order, so sort what has none. When empty, or
     * where the expression fails, everything that was sent counts, byte by byte.
     */
    String fingerprint() default "";

    /** How long a dead process blocks the key; 0 is {@code waybill.guard.idempotent.lease}. A live run renews it. */
    int leaseSeconds() default 0;

    /** How long a repeat waits for the first run before it gets A0401; 0 is not at all. */
    int waitMillis() default 0;

    /** What happens while the store is down. */
    WhenDown whenDown() default WhenDown.FAIL;

    /** What happens while the store is down. */
    enum WhenDown {
        /** The request is refused with 503, {@code C0001}. */
        FAIL,
        /** The handler runs unguarded: its database's unique key decides. */
        FALL_THROUGH
    }
}
