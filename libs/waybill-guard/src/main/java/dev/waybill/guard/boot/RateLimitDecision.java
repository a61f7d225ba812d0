package dev.waybill.guard.boot;

/** What the limiter decides about one call. */
sealed interface RateLimitDecision {

    /** The call may go on. */
    record Allowed(long remaining) implements RateLimitDecision {}

    /** The bucket has too few tokens. */
    record Refused(long remaining, long retryAfterMillis) implements RateLimitDecision {}

    /** The store is down and the limit lets calls pass meanwhile. */
    record Unguarded() implements RateLimitDecision {}

    /** The store is down and the limit refuses calls meanwhile. */
    record Unavailable() implements RateLimitDecision {}
}
