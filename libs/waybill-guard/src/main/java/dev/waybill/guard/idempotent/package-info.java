/**
 * Runs a request once per key: {@link dev.waybill.guard.idempotent.Idempotent} and what stands behind it.
 *
 * <p>A key is claimed in one atomic step, held by a lease, settled by whoever holds the claim's fence, and never answered with
 * the result of a request that has another fingerprint.
 */
@NullMarked
package dev.waybill.guard.idempotent;

import org.jspecify.annotations.NullMarked;
