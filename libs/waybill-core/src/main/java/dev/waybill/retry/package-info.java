/**
 * When to try again, and when to give up.
 *
 * <p>Rule: pure arithmetic; randomness comes in through a seam, time does not come in at all.
 */
@NullMarked
package dev.waybill.retry;

import org.jspecify.annotations.NullMarked;
