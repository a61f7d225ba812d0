package dev.waybill.guard.idempotent;

import dev.waybill.guard.idempotent.Claim.Claimed;
import dev.waybill.guard.idempotent.Claim.StoredResult;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Where keys are. Every method is one atomic step under the store's own clock, and fails with
 * {@link dev.waybill.guard.store.StoreUnavailableException} within the store's time-out.
 */
public interface IdempotencyStore {

    /** Takes the key if it is free. */
    Claim claim(Subject subject, Duration lease);

    /**
     * Stores the result for {@code keep}, if the claim still stands or nobody has the key; false where a successor has it, whose
     * claim or result is left alone.
     */
    boolean complete(Subject subject, Claimed claim, StoredResult result, Duration keep);

    /** Frees the key, if the claim still stands. */
    boolean release(Subject subject, Claimed claim);

    /** Starts the lease anew, if the claim still stands. */
    CompletionStage<Boolean> renew(Subject subject, Claimed claim, Duration lease);
}
