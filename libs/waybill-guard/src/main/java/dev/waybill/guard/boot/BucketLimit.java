package dev.waybill.guard.boot;

import dev.waybill.guard.ratelimit.RateLimit.WhenDown;

/** A limit as it is in force for one API: annotation and settings put together. */
record BucketLimit(String name, TokenBucket bucket, long slice, WhenDown whenDown) {

    BucketLimit {
        if (slice < 0 || slice > bucket.capacity()) {
            throw new IllegalArgumentException(
                    "slice must be between 0 and the capacity of " + bucket.capacity() + ": " + slice);
        }
        if (whenDown == WhenDown.AS_CONFIGURED) {
            throw new IllegalArgumentException("whenDown must be settled by now: " + name);
        }
    }
}
