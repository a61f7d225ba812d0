/**
 * The annotation that limits how often a handler runs.
 *
 * <p>Time is the clock of the store that holds the buckets, never the caller's.
 */
@NullMarked
package dev.waybill.guard.ratelimit;

import org.jspecify.annotations.NullMarked;
