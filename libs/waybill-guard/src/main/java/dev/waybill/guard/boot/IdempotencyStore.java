package dev.waybill.guard.boot;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.KeyClaim.StoredResult;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Holds the idempotency keys. Every method is one atomic step under the store's own clock, and fails with {@link
 * StoreUnavailableException} within the store's time-out.
 */
interface IdempotencyStore {

    /** Takes the key if it is free. */
    KeyClaim claim(KeyedRequest keyed, Duration lease);

    /**
     * Stores the result for {@code keep} if the claim is still valid or nobody holds the key. False if a successor holds
     * the key, whose claim or result is not touched.
     */
    boolean complete(KeyedRequest keyed, Claimed claim, StoredResult result, Duration keep);

    /** Frees the key, if the claim is still valid. */
    boolean release(KeyedRequest keyed, Claimed claim);

    /** Starts the lease anew, if the claim is still valid. */
    CompletionStage<Boolean> renew(KeyedRequest keyed, Claimed claim, Duration lease);
}
