package dev.waybill.guard.ratelimit;

/** What the limiter says to one call. */
public sealed interface Decision {

    /** The call may go on. */
    record Allowed(long remaining) implements Decision {}

    /** Too often. */
    record Refused(long remaining, long retryAfterMillis) implements Decision {}

    /** The store is down and the limit lets calls pass meanwhile. */
    record Unguarded() implements Decision {}

    /** The store is down and the limit refuses calls meanwhile. */
    record Unavailable() implements Decision {}
}
