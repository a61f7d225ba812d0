/**
 * Token buckets in front of handlers: {@link dev.waybill.guard.ratelimit.RateLimit} and what stands behind it.
 *
 * <p>A decision is one step of a {@link dev.waybill.guard.ratelimit.BucketStore}; time is the store's own, never the caller's.
 */
@NullMarked
package dev.waybill.guard.ratelimit;

import org.jspecify.annotations.NullMarked;
