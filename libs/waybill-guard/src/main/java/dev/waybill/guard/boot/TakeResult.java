package dev.waybill.guard.boot;

/** The result of taking tokens from a bucket. */
sealed interface TakeResult {

    /** Whole tokens left in the bucket. */
    long remaining();

    /** The tokens are taken: {@code tokens} of them, which is the cost or, where a slice was wanted, up to the slice. */
    record Granted(long tokens, long remaining) implements TakeResult {}

    /**
     * The bucket has too few tokens and none was taken. The cost is there after {@code retryAfterMillis}, if nobody else
     * takes tokens meanwhile.
     */
    record Refused(long remaining, long retryAfterMillis) implements TakeResult {}
}
