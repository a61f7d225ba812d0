/**
 * The annotation that makes a handler run once per idempotency key.
 *
 * <p>A key is claimed in one atomic step and held by a lease; only the holder of the claim's fence settles it, and it is
 * never answered with the result of a request that has another fingerprint.
 */
@NullMarked
package dev.waybill.guard.idempotent;

import org.jspecify.annotations.NullMarked;
