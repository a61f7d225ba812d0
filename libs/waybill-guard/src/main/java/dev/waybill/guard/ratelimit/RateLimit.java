package dev.waybill.guard.ratelimit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a method runs. Over the limit the caller gets 429, {@code A0500} and {@code Retry-After}; nothing else of
 * the request happens, in particular no idempotency key is taken.
 *
 * <p>Every attribute but {@code name}, {@code per} and {@code key} can be overridden in
 * {@code waybill.guard.ratelimit.apis[Class.method]}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface RateLimit {

    /** The bucket's name; {@code Class.method} when empty. */
    String name() default "";

    /** Tokens that come back each second. */
    double rate() default 200;

    /** The most tokens that the bucket holds, hence the largest burst. */
    long capacity() default 200;

    /** Who shares a bucket. */
    Per per() default Per.API;

    /** For {@link Per#EXPRESSION}: an expression over the arguments, e.g. {@code #request.tenant}. */
    String key() default "";

    /** Tokens per call: a number, or an expression over the arguments, e.g. {@code #request.items.size()}; at least 1. */
    String cost() default "1";

    /**
     * Above 0, a node takes this many tokens at a time and spends them by itself, without a round trip. Unspent ones are
     * dropped after {@code waybill.guard.ratelimit.slice-lifetime}. In any span of time at most {@code nodes × slice} calls
     * more than the bucket's own bound get through; over the bucket's whole life never one more.
     */
    long slice() default 0;

    /** What happens while the store is down. */
    WhenDown whenDown() default WhenDown.AS_CONFIGURED;

    /** Who shares a bucket. */
    enum Per {
        API,
        USER,
        IP,
        EXPRESSION
    }

    /** What happens while the store is down. */
    enum WhenDown {
        /** As {@code waybill.guard.ratelimit.when-down} says. */
        AS_CONFIGURED,
        /** Calls pass unlimited. */
        ALLOW,
        /** Calls are refused with 503, {@code C0001}. */
        REFUSE,
        /** Each node limits by itself, with the same rate and capacity. */
        LOCAL
    }
}
