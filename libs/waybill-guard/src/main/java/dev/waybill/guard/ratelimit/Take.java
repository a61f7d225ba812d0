package dev.waybill.guard.ratelimit;

/** What a bucket answers. */
public sealed interface Take {

    /** Whole tokens left in the bucket. */
    long remaining();

    /** The tokens are taken: {@code tokens} of them, which is the cost or, where a slice was wanted, up to the slice. */
    record Granted(long tokens, long remaining) implements Take {}

    /** Not enough; nothing was taken. The cost is there after {@code retryAfterMillis}, if nobody else comes. */
    record Refused(long remaining, long retryAfterMillis) implements Take {}
}
