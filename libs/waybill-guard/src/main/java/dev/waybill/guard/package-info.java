/**
 * Request guards for Spring web services: trace, rate limit, idempotency and one answer shape.
 *
 * <p>Users need {@code web} (answers and refusals), {@code ratelimit} and {@code idempotent} (the annotations) and {@code
 * trace}. Everything behind them is in {@code boot} and hidden, but for the auto-configurations and the settings.
 */
@NullMarked
package dev.waybill.guard;

import org.jspecify.annotations.NullMarked;
