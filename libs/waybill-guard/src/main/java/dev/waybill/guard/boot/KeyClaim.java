package dev.waybill.guard.boot;

import org.jspecify.annotations.Nullable;

/** The store's answer to a request that wants to run under a key. */
sealed interface KeyClaim {

    /** The key is yours until the lease ends. Fences of one key grow: a later claim has a higher one. */
    record Claimed(long fence, long createdAt) implements KeyClaim {}

    /** Another caller is running the same request. */
    record StillRunning() implements KeyClaim {}

    /** The request was run before. */
    record Completed(StoredResult result) implements KeyClaim {}

    /** The key stands for a different request. */
    record OtherRequest() implements KeyClaim {}

    /** A finished run's {@code data} as JSON, null where it was too large to keep, and its HTTP status. */
    record StoredResult(@Nullable String json, int httpStatus) {}
}
