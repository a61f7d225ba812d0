/**
 * The link to Redis that all modules share, and the only code that knows the Redis client.
 *
 * <p>No call waits longer than its time-out, and nothing is queued or repeated while Redis is away: what an outage means is
 * the caller's decision.
 */
@NullMarked
package dev.waybill.redis;

import org.jspecify.annotations.NullMarked;
