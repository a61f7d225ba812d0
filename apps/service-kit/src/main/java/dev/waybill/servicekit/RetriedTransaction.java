package dev.waybill.servicekit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.Transactional;

/**
 * Runs the method in a transaction, and again in a new one, up to {@value #RETRIES} times, when another transaction won a
 * race against it. The caller sees the last failure as it was thrown. Other failures are not repeated.
 *
 * <p>Inside a transaction that is already open a repeat would run in what the database has rolled back: call such a method
 * from outside of transactions only.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Retryable(
        predicate = LostRace.class,
        maxRetries = RetriedTransaction.RETRIES,
        delay = 5,
        jitter = 5,
        multiplier = 2,
        maxDelay = 100)
@Transactional
public @interface RetriedTransaction {

    /** Enough for sixty first receipts of one SKU at the same time, which end each other's deadlocks. */
    int RETRIES = 8;
}
