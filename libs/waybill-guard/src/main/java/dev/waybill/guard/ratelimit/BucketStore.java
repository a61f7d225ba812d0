package dev.waybill.guard.ratelimit;

/**
 * Where buckets are. One call is one atomic step; a crash before or after it loses at most the tokens of that step.
 *
 * <p>A store that can't answer throws {@link dev.waybill.guard.store.StoreUnavailableException} within its time-out.
 */
@FunctionalInterface
public interface BucketStore {

    /**
     * Takes tokens from the bucket named {@code key}, which is full when it is new.
     *
     * @param cost what the call needs; all of it or nothing
     * @param wanted what the caller would like beyond the cost, up to this total; equal to the cost for a plain call
     */
    Take take(String key, TokenBucket bucket, long cost, long wanted);
}
