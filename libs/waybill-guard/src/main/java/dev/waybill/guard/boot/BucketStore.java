package dev.waybill.guard.boot;

/**
 * Holds the token buckets. One call is one atomic step; a crash before or after it loses at most the tokens of that step.
 *
 * <p>A store that can't answer throws {@link StoreUnavailableException} within its time-out.
 */
@FunctionalInterface
interface BucketStore {

    /**
     * Takes tokens from the bucket named {@code key}, which is full when it is new.
     *
     * @param cost what the call needs; all of it or nothing
     * @param wanted what the caller would like beyond the cost, up to this total; equal to the cost for a plain call
     */
    TakeResult take(String key, TokenBucket bucket, long cost, long wanted);
}
