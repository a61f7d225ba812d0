/**
 * Request guards for Spring web services: trace, rate limit, idempotency and one answer shape.
 *
 * <p>Packages know each other in one direction only: {@code trace} ← {@code web} ← {@code store}, {@code handler} ← {@code
 * ratelimit}, {@code idempotent} ← {@code boot}.
 */
@NullMarked
package dev.waybill.guard;

import org.jspecify.annotations.NullMarked;
