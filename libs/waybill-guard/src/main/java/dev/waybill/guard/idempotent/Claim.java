package dev.waybill.guard.idempotent;

import org.jspecify.annotations.Nullable;

/** What a store answers to somebody who wants to run under a key. */
public sealed interface Claim {

    /** The key is yours until the lease ends. Fences of one key grow: a later claim has a higher one. */
    record Claimed(long fence, long createdAt) implements Claim {}

    /** Somebody else is running the same request. */
    record InProgress() implements Claim {}

    /** The request was run before. */
    record Done(StoredResult result) implements Claim {}

    /** The key stands for a different request. */
    record OtherRequest() implements Claim {}

    /** A finished run's {@code data} as JSON, null where it was too large to keep, and the status it travelled under. */
    record StoredResult(@Nullable String json, int httpStatus) {}
}
